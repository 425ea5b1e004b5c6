import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { SessionDescription } from '@livekit/protocol'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Candidate, Connection, type RTCDataChannel, type RTCPeerConnection } from 'werift'
import { openPublisher, type Publisher } from '../publisher.ts'
import { ADDRESS, openLocalClient, PATIENCE } from './local-client-fixture.ts'
import { guardMediaPorts } from './media-ports.ts'

const CLEAR_ALERT = Buffer.from('15fefd00000000000000000002' + '0100', 'hex')
const UNKNOWN_RECORD = Buffer.from('20fefd00010000000000000002' + '0100', 'hex')

let publisher: Publisher
let client: RTCPeerConnection
let channel: RTCDataChannel
let foreign: Socket
let answered: Buffer[]
let heard: string[]
let state: string[]
let port: number

beforeAll(guardMediaPorts)

/** A client that is connected to a port of media, and a stranger who knows that port. */
beforeEach(async () => {
  ;[answered, heard, state] = [[], [], []]
  client = openLocalClient()
  channel = client.createDataChannel('_reliable')
  publisher = openPublisher({
    address: ADDRESS,
    send: (message) => {
      if (message.case === 'answer')
        void client.setRemoteDescription({ type: 'answer', sdp: message.value.sdp })
    },
    onCandidate: (candidate) => {
      port = Number(
        /127\.0\.0\.1 (\d+) typ host/.exec((candidate as { candidate: string }).candidate)?.[1] ?? port,
      )
      void client.addIceCandidate(candidate)
    },
    onConnected: () => state.push('connected'),
    onFailed() {},
    onLost: () => state.push('lost'),
    onNegotiated() {},
    onData: (_kind, data) => heard.push(data.toString()),
    sources: () => [],
    onBadInput: (error) => state.push(String(error)),
  })
  await client.setLocalDescription(await client.createOffer())
  publisher.takeOffer(
    new SessionDescription({ type: 'offer', sdp: client.localDescription?.sdp ?? '', id: 1 }),
  )
  await vi.waitFor(() => expect(channel.readyState).toBe('open'), PATIENCE)
  foreign = createSocket('udp4').on('message', (data) => answered.push(data))
  await once(foreign.bind(0, ADDRESS), 'listening')
})

afterEach(async () => {
  foreign.close()
  await Promise.all([client.close(), publisher.close()])
})

const sendFrom = (data: Buffer) =>
  new Promise<void>((resolve) => foreign.send(data, port, ADDRESS, () => resolve()))
/** From the very address of the client, as a host on its network would pretend. */
const sendAsClient = async (data: Buffer) => {
  const { connection } = client.iceTransports[0] as unknown as {
    connection: { send(data: Buffer): Promise<void> }
  }
  await connection.send(data)
}
/** By then, whatever was sent before has been taken in. */
const stillHears = async (words: string) => {
  channel.send(Buffer.from(words))
  await vi.waitFor(() => expect(heard).toContain(words), PATIENCE)
}

/** A check of ICE without a signature. */
function check(username: string): Buffer {
  const name = Buffer.from(username)
  const padded = Buffer.concat([name, Buffer.alloc((4 - (name.byteLength % 4)) % 4)])
  const message = Buffer.alloc(24)
  message.writeUInt16BE(0x0001, 0)
  message.writeUInt16BE(padded.byteLength + 4, 2)
  message.writeUInt32BE(0x2112a442, 4)
  message.fill(7, 8, 20)
  message.writeUInt16BE(0x0006, 20)
  message.writeUInt16BE(name.byteLength, 22)
  return Buffer.concat([message, padded])
}

describe('a port of media', () => {
  it('asks no server of others where it is', () => {
    const { connection } = client.iceTransports[0] as unknown as { connection: { stunServer: unknown } }
    expect(connection.stunServer).toBeUndefined()
    expect(client.localDescription?.sdp).not.toContain('srflx')
  })

  it('answers no check that is not signed, whatever name it carries', async () => {
    const ours = /a=ice-ufrag:(\S+)/.exec(client.remoteDescription?.sdp ?? '')?.[1]
    for (const name of [`${ours}:abcd`, 'nobody:abcd', '__proto__:a', '']) await sendFrom(check(name))
    await stillHears('after the checks')
    expect(answered).toEqual([])
  })

  it('takes nothing from anywhere but where its client is', async () => {
    for (const data of [CLEAR_ALERT, UNKNOWN_RECORD, Buffer.alloc(200, 0x80), Buffer.alloc(30_000, 0x17)])
      await sendFrom(data)
    await stillHears('after the others')
    expect(state).toEqual(['connected'])
  })

  it('is not closed in the clear, not even from where its client is', async () => {
    const data = Buffer.from('17fefd0000000000000000000400000000', 'hex')
    for (const one of [CLEAR_ALERT, data, UNKNOWN_RECORD]) await sendAsClient(one)
    await stillHears('after the records')
    expect(state).toEqual(['connected'])
  })

  it('looks no name up, and keeps a few dozen candidates', async () => {
    const agent = new Connection(false, {})
    const add = (host: string) =>
      agent.addRemoteCandidate(Candidate.fromSdp(`1 1 udp 2130706431 ${host} 9 typ host`))
    await add('attacker.example')
    for (let at = 0; at < 300; at += 1) await add(`127.0.1.${at % 250}`)
    const hosts = agent.remoteCandidates.map(({ host }) => host)
    expect(hosts).toHaveLength(64)
    expect(hosts).not.toContain('attacker.example')
    await agent.close()
  })
})

describe('a connection of data', () => {
  it('with a channel after the other is put out', async () => {
    for (let at = 0; at < 20; at += 1) client.createDataChannel(`channel-${at}`)
    await vi.waitFor(() => expect(state.join()).toContain('too many data channels'), PATIENCE)
  })
})
