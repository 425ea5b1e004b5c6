import { expect, it } from 'vitest'
import type { RTCDataChannel } from 'werift'
import { openOutgoingData } from './outgoing-data.ts'

const KILOBYTE = new Uint8Array(1024)

/** A channel that is about to open. */
function openingChannel() {
  const sent: Buffer[] = []
  const listeners: ((state: string) => void)[] = []
  const channel = {
    ...{ readyState: 'connecting', bufferedAmount: 0, send: (packet: Buffer) => sent.push(packet) },
    stateChanged: { subscribe: (listener: (state: string) => void) => listeners.push(listener) },
  }
  const open = () => {
    channel.readyState = 'open'
    for (const listener of listeners) listener('open')
  }
  return { channel: channel as unknown as RTCDataChannel, open, sent }
}

it('keeps what forty people tell a newcomer before the way is open, and not without an end', () => {
  const outgoing = openOutgoingData()
  const { channel, open, sent } = openingChannel()
  outgoing.use('reliable', channel)
  for (let person = 0; person < 120; person += 1) outgoing.deliver('reliable', Uint8Array.of(person))
  open()
  expect(sent.map(([person]) => person)).toEqual(Array.from({ length: 120 }, (_, person) => person))

  const flooded = openOutgoingData()
  const late = openingChannel()
  flooded.use('reliable', late.channel)
  for (let one = 0; one < 2_000; one += 1) flooded.deliver('reliable', KILOBYTE)
  late.open()
  expect(late.sent).toHaveLength(1_024)
})
