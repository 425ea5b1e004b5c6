import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { RTCDataChannel, RTCPeerConnection } from 'werift'
import { openPeer } from '../peer.ts'
import { renewConsent } from './consent.ts'
import { ADDRESS, openLocalClient, PATIENCE } from './local-client-fixture.ts'

interface Agent {
  consentFresh: boolean
  setState(state: string): void
  stopConsentLifecycle(): void
}

let server: RTCPeerConnection
let client: RTCPeerConnection
let channel: RTCDataChannel
let states: string[]
let heard: number

beforeAll(renewConsent)

beforeEach(async () => {
  ;[states, heard] = [[], 0]
  server = openPeer(ADDRESS, 'subscriber')
  channel = server.createDataChannel('_reliable')
  server.connectionStateChange.subscribe((state) => states.push(state))
  client = openLocalClient()
  client.onDataChannel.subscribe((theirs) => theirs.onMessage.subscribe(() => (heard += 1)))
  await server.setLocalDescription(await server.createOffer())
  await client.setRemoteDescription({ type: 'offer', sdp: server.localDescription?.sdp ?? '' })
  await client.setLocalDescription(await client.createAnswer())
  await server.setRemoteDescription({ type: 'answer', sdp: client.localDescription?.sdp ?? '' })
  await vi.waitFor(() => expect(channel.readyState).toBe('open'), PATIENCE)
})

afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all([client.close(), server.close()])
})

/** What the library does where none of its checks was answered for half a minute. */
const expire = () => {
  const { connection } = server.iceTransports[0] as unknown as { connection: Agent }
  connection.stopConsentLifecycle()
  connection.setState('failed')
  return connection
}

it('goes on where the other side has sent something since', async () => {
  const agent = expire()
  expect(agent.consentFresh).toBe(false)
  await vi.waitFor(() => expect(agent.consentFresh).toBe(true), PATIENCE)
  expect(states).not.toContain('failed')
  channel.send(Buffer.from('still here'))
  await vi.waitFor(() => expect(heard).toBe(1), PATIENCE)
})

it('fails where nothing came for as long as an answer counts', async () => {
  const { connection } = client.iceTransports[0] as unknown as {
    connection: Agent & { close(): Promise<void> }
  }
  // without a last word
  await connection.close()
  const clock = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + 60_000)
  expire()
  await vi.waitFor(() => expect(states).toContain('failed'), PATIENCE)
})
