import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { RTCPeerConnection } from 'werift'
import { openPeer } from '../peer.ts'
import { handleHandshakesOnce, onHandshake } from './handshakes.ts'
import { ADDRESS, openLocalClient, PATIENCE } from './local-client-fixture.ts'

type Send = (packet: Buffer) => Promise<void>
/** What the way does with a packet: it passes it on as often as it likes. */
type Way = (pass: Send) => Send

const CHANGE_CIPHER_SPEC = 20
const HANDSHAKE = 22

let open: RTCPeerConnection[] = []
/** How often the media server was told that the handshake has ended. */
let told = 0

beforeAll(handleHandshakesOnce)

afterEach(async () => {
  await Promise.all(open.map((pc) => pc.close()))
  open = []
  told = 0
})

/** The media server and a client, each of which may be the one that begins the handshake. */
async function connect(way: Way, beginner: 'client' | 'server') {
  const server = openPeer(ADDRESS, beginner === 'server' ? 'publisher' : 'subscriber')
  const client = openLocalClient()
  open = [server, client]
  onHandshake(server, () => (told += 1))
  const [offering, answering] = beginner === 'server' ? [client, server] : [server, client]
  offering.createDataChannel('_reliable')
  await offering.setLocalDescription(await offering.createOffer())
  await answering.setRemoteDescription({ type: 'offer', sdp: offering.localDescription?.sdp ?? '' })
  await answering.setLocalDescription(await answering.createAnswer())
  for (const pc of open) {
    const agent = pc.iceTransports[0]?.connection as { send: Send }
    agent.send = way(agent.send.bind(agent))
  }
  await offering.setRemoteDescription({ type: 'answer', sdp: answering.localDescription?.sdp ?? '' })
}

const states = () => open.map((pc) => pc.dtlsTransports[0]?.state)
const allConnected = () => vi.waitFor(() => expect(states()).toEqual(['connected', 'connected']), PATIENCE)

const twice: Way = (pass) => async (packet) => {
  await pass(packet)
  await pass(packet)
}

/** Each packet once more, a little later: what a side sends that has waited for an answer. */
const againLater: Way = (pass) => async (packet) => {
  setTimeout(() => pass(packet), 60)
  await pass(packet)
}

/** Without the first of what is sealed: the last word of a side. */
const withoutFirstFinished: Way = (pass) => {
  let lost = false
  return async (packet) => {
    const isSealed = packet[0] === HANDSHAKE && packet.readUInt16BE(3) > 0
    if (!isSealed || lost) return await pass(packet)
    lost = true
  }
}

/** Without the first word that what follows is sealed. */
const withoutFirstChange: Way = (pass) => {
  let lost = false
  return async (packet) => {
    if (packet[0] !== CHANGE_CIPHER_SPEC || lost) return await pass(packet)
    lost = true
  }
}

for (const beginner of ['client', 'server'] as const) {
  it.each([
    { of: 'whose packets come twice', way: twice },
    { of: 'whose packets come again later', way: againLater },
    { of: 'that lost the end of it', way: withoutFirstFinished },
    { of: 'that lost the change of ciphers', way: withoutFirstChange },
  ])(`ends a handshake $of, begun by the ${beginner}`, async ({ way }) => {
    await connect(way, beginner)
    await allConnected()
    expect(told).toBeGreaterThan(0)
  })
}
