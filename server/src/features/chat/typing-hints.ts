import { randomUUID } from 'node:crypto'
import { type EventData, TYPING_SECONDS } from '@atrium/contract'
import type { Clock } from '../../platform/clock.ts'
import { boundedCache } from '../../platform/limits/bounded-cache.ts'
import { unawaited } from '../../platform/timing/unawaited.ts'
import type { BrokerPort } from '../../ports/broker.ts'

type Typing = EventData<'conversation.typing'>

/** Who was told of whom, on this node: what is too soon goes no further. */
export interface TypingHints {
  /** Whether the others have just been told. */
  isTooSoon(typing: Typing): boolean
  /** Tells these channels, unless they have just been told. No request waits for it, and what is lost comes again. */
  tell(typing: Typing, channels: readonly string[]): void
  /** Waits for what is on its way. */
  settle(): Promise<void>
}

/** More people do not write at a time; of who is forgotten, something is told too soon. */
const KNOWN_MAX = 10_000

export function makeTypingHints({
  broker,
  clock,
}: {
  broker: Pick<BrokerPort, 'publish'>
  clock: Clock
}): TypingHints {
  /** Milliseconds since 1970. */
  const toldAt = boundedCache<string, number>(KNOWN_MAX)
  const sending = unawaited()
  const keyOf = ({ userId, conversationId }: Typing) => `${userId} ${conversationId}`
  const isTooSoon = (typing: Typing) => {
    const before = toldAt.get(keyOf(typing))
    return before !== undefined && clock.now().getTime() - before < TYPING_SECONDS * 1_000
  }
  return {
    isTooSoon,
    tell(typing, channels) {
      if (isTooSoon(typing)) return
      const now = clock.now()
      toldAt.set(keyOf(typing), now.getTime())
      if (channels.length === 0) return
      const event = { id: randomUUID(), type: 'conversation.typing', time: now.toISOString(), data: typing }
      // whether the broker can be reached is watched elsewhere
      sending.begin(broker.publish(channels, event), () => {})
    },
    settle: sending.settle,
  }
}
