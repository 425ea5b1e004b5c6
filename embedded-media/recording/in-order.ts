import type { StoredPacket } from './packet-file.ts'

/** A packet in its place. */
export interface OrderedPacket extends StoredPacket {
  /** Something before it never came. */
  afterLoss: boolean
}

/** Later than that, one that was sent again is not waited for. */
const WAIT_MS = 1_000
const NUMBERS = 0x10000

/** Packets by their numbers instead of their arrival, each once. */
export async function* inOrder(packets: AsyncIterable<StoredPacket>): AsyncGenerator<OrderedPacket> {
  const waiting = new Map<number, StoredPacket>()
  let next: number | undefined
  let afterLoss = false
  function* release(now: number): Generator<OrderedPacket> {
    while (next !== undefined && waiting.size > 0) {
      const found = waiting.get(next)
      if (found) {
        waiting.delete(next)
        yield { ...found, afterLoss }
        afterLoss = false
      } else {
        const oldest = Math.min(...[...waiting.values()].map(({ at }) => at))
        if (now - oldest < WAIT_MS) return
        afterLoss = true
      }
      next = (next + 1) % NUMBERS
    }
  }
  for await (const packet of packets) {
    next ??= packet.number
    const ahead = (packet.number - next + NUMBERS) % NUMBERS
    // it was given up, or has been there
    if (ahead >= NUMBERS / 2) continue
    waiting.set(packet.number, packet)
    yield* release(packet.at)
  }
  yield* release(Number.POSITIVE_INFINITY)
}
