import { expect, it } from 'vitest'
import type { RTCDataChannel } from 'werift'
import { openOutgoingData } from './outgoing-data.ts'

/** Of the packets that the client takes. */
const LONGEST = 2_048
const KILOBYTE = new Uint8Array(1024)

/** A channel that is about to open. */
function openingChannel() {
  const sent: Buffer[] = []
  const listeners: ((state: string) => void)[] = []
  const emptied: (() => void)[] = []
  const channel = {
    ...{ readyState: 'connecting', bufferedAmount: 0 },
    send(packet: Buffer) {
      if (packet.byteLength > LONGEST) throw new Error(`max-message-size exceeded: ${packet.byteLength}`)
      sent.push(packet)
      channel.bufferedAmount += packet.byteLength
    },
    stateChanged: { subscribe: (listener: (state: string) => void) => listeners.push(listener) },
    bufferedAmountLow: { subscribe: (listener: () => void) => emptied.push(listener) },
  }
  /** The client has read what the channel had. */
  const empty = () => {
    channel.bufferedAmount = 0
    for (const listener of emptied) listener()
  }
  const open = () => {
    channel.readyState = 'open'
    for (const listener of listeners) listener('open')
  }
  const close = () => {
    channel.readyState = 'closed'
    for (const listener of listeners) listener('closed')
  }
  const emptyAll = () => {
    for (let before = -1; sent.length > before; ) {
      before = sent.length
      empty()
    }
  }
  return { channel: channel as unknown as RTCDataChannel, open, empty, emptyAll, close, sent }
}

it('keeps what forty people tell a newcomer before the way is open, and not without an end', () => {
  const outgoing = openOutgoingData()
  const { channel, open, emptyAll, sent } = openingChannel()
  outgoing.use('reliable', channel)
  for (let person = 0; person < 120; person += 1) outgoing.deliver('reliable', Uint8Array.of(person))
  open()
  emptyAll()
  expect(sent.map(([person]) => person)).toEqual(Array.from({ length: 120 }, (_, person) => person))

  const flooded = openOutgoingData()
  const late = openingChannel()
  flooded.use('reliable', late.channel)
  for (let one = 0; one < 2_000; one += 1) flooded.deliver('reliable', KILOBYTE)
  late.open()
  late.emptyAll()
  expect(late.sent).toHaveLength(1_024)
})

it('gives a channel a few packets at a time, in their order: each costs it a walk over all that it has not sent', () => {
  const outgoing = openOutgoingData()
  const { channel, open, empty, emptyAll, sent } = openingChannel()
  outgoing.use('reliable', channel)
  open()
  for (let packet = 0; packet < 200; packet += 1) outgoing.deliver('reliable', Uint8Array.of(packet))
  const atOnce = sent.length
  expect(atOnce).toBeLessThanOrEqual(16)
  empty()
  expect(sent.length - atOnce).toBeLessThanOrEqual(16)
  emptyAll()
  expect(sent.map(([packet]) => packet)).toEqual(Array.from({ length: 200 }, (_, packet) => packet))
})

it('drops what goes beyond 8 MB of packets that a client does not read', () => {
  const outgoing = openOutgoingData()
  const { channel, open, emptyAll, sent } = openingChannel()
  outgoing.use('reliable', channel)
  open()
  for (let packet = 0; packet < 10_000; packet += 1) outgoing.deliver('reliable', KILOBYTE)
  emptyAll()
  // the channel has one of them
  expect(sent.length).toBe(8 * 1_024 + 1)
})

it('loses those alone that the client takes none so long of', () => {
  const outgoing = openOutgoingData()
  const { channel, open, emptyAll, sent } = openingChannel()
  outgoing.use('reliable', channel)
  const tooLong = new Uint8Array(LONGEST + 1)
  for (let packet = 0; packet < 20; packet += 1) outgoing.deliver('reliable', tooLong)
  for (let packet = 0; packet < 20; packet += 1) outgoing.deliver('reliable', Uint8Array.of(packet))
  open()
  emptyAll()
  expect(sent.map(([packet]) => packet)).toEqual(Array.from({ length: 20 }, (_, packet) => packet))
})

it('says nothing on another channel of what waited for one that is closed', () => {
  const outgoing = openOutgoingData()
  const [first, second] = [openingChannel(), openingChannel()]
  outgoing.use('reliable', first.channel)
  first.open()
  for (let packet = 0; packet < 40; packet += 1) outgoing.deliver('reliable', Uint8Array.of(packet))
  first.close()
  outgoing.use('reliable', second.channel)
  second.open()
  outgoing.deliver('reliable', Uint8Array.of(100))
  expect(second.sent).toEqual([Buffer.of(100)])
})
