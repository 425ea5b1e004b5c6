import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { RTCDataChannel, RTCPeerConnection, RTCRtpTransceiver } from 'werift'
import { openPeer } from '../peer.ts'
import { restartWithClient } from './ice-restart.ts'
import { ADDRESS, openLocalClient, PATIENCE } from './local-client-fixture.ts'

let server: RTCPeerConnection
let client: RTCPeerConnection
let channel: RTCDataChannel
let theirs: RTCDataChannel | undefined
let screen: RTCRtpTransceiver

beforeAll(restartWithClient)

beforeEach(async () => {
  server = openPeer(ADDRESS, 'publisher')
  server.onDataChannel.subscribe((opened) => (theirs = opened))
  client = openLocalClient()
  channel = client.createDataChannel('_reliable')
  client.addTransceiver('video', { direction: 'sendonly' })
  screen = client.addTransceiver('video', { direction: 'sendonly' })
  await negotiate()
  await vi.waitFor(() => expect(channel.readyState).toBe('open'), PATIENCE)
})

afterEach(() => Promise.all([client.close(), server.close()]))

/** By an offer of the client. @returns what both call themselves in checks */
async function negotiate({ iceRestart = false, isHidden = false } = {}) {
  await client.setLocalDescription(await client.createOffer({ iceRestart }))
  const whole = client.localDescription?.sdp ?? ''
  const offered = isHidden ? whole.replaceAll(/a=candidate.*\r\n/g, '') : whole
  await server.setRemoteDescription({ type: 'offer', sdp: offered })
  await server.setLocalDescription(await server.createAnswer())
  const answered = server.localDescription?.sdp ?? ''
  await client.setRemoteDescription({ type: 'answer', sdp: answered })
  const name = (sdp: string) => /a=ice-ufrag:(\S+)/.exec(sdp)?.[1]
  return { client: name(offered), server: name(answered) }
}

it('begins anew with a client that does, though a section of it rests and its addresses are hidden', async () => {
  screen.setDirection('inactive')
  const before = await negotiate()
  const after = await negotiate({ iceRestart: true, isHidden: true })
  expect(after.client).not.toBe(before.client)
  expect(after.server).not.toBe(before.server)
  // a browser begins its checks by itself
  void client.iceTransports[0]?.start()
  const said: string[] = []
  channel.onMessage.subscribe((data) => said.push(data.toString()))
  await vi.waitFor(() => {
    theirs?.send(Buffer.from('still here'))
    expect(said).toContain('still here')
  }, PATIENCE)
})

it('keeps its paths where the client keeps its own', async () => {
  screen.setDirection('inactive')
  const [before, after] = [await negotiate(), await negotiate()]
  expect(after).toEqual(before)
})
