import { boundedCache } from '../limits/bounded-cache.ts'

/** How many lanes of a node go to what; the rest waits, and leaves them to others. */
export interface Bounds {
  /** To one receiver. */
  one: number
  /** To all of one organization. */
  organization: number
  /** To all receivers together that are known to be slow: the rest stays with those that answer at once. */
  slow: number
}

const SLOW_MS = 1_000
/** An item that has to wait is looked at again after so long, at the earliest and at the latest. */
const WAITS_MS = { least: 50, most: 10 * 60_000 }
/** Two that wait are looked at with so much time between them, at least. */
const BETWEEN_MS = 5
const KNOWN_MAX = 10_000

export interface Receiver {
  one: string
  organization: string
}

export interface LaneShares {
  /** @returns to be called when the receiver has answered; undefined where others of it are under way */
  take(receiver: Receiver): (() => void) | undefined
  /**
   * When to look again at an item that has to wait: those of one receiver come one after the other, as fast as it
   * answers. Looked at all together and again and again, many of them would keep the database busy with nothing.
   * @param from not before
   */
  turnOf(one: string, from: Date): Date
}

/** Which receiver may have how much of a node's lanes. @param now milliseconds of a clock that only goes forward */
export function shareLanes(bounds: Bounds, now: () => number = () => performance.now()): LaneShares {
  const underWay = new Set<Receiver & { since: number }>()
  /** How long the last answer of a receiver took. */
  const took = boundedCache<string, number>(KNOWN_MAX)
  /** The last turn that was given to an item that waits. */
  const turns = boundedCache<string, number>(KNOWN_MAX)

  const count = (isMeant: (other: Receiver) => boolean) => [...underWay].filter(isMeant).length
  const takes = (one: string) => {
    const waited = [...underWay].filter((other) => other.one === one).map(({ since }) => now() - since)
    return Math.max(took.get(one) ?? 0, ...waited)
  }
  const isSlow = ({ one }: Pick<Receiver, 'one'>) => takes(one) >= SLOW_MS
  return {
    take(receiver) {
      const { one, organization } = receiver
      if (count((other) => other.one === one) >= bounds.one) return undefined
      if (count((other) => other.organization === organization) >= bounds.organization) return undefined
      if (isSlow(receiver) && count(isSlow) >= bounds.slow) return undefined
      const taken = { ...receiver, since: now() }
      underWay.add(taken)
      return () => {
        underWay.delete(taken)
        const answeredIn = now() - taken.since
        took.set(one, answeredIn)
        // items that have waited since it was slow come in their turn, and no new ones behind them
        if (answeredIn < SLOW_MS) turns.delete(one)
      }
    },
    turnOf(one, from) {
      const between = Math.max(takes(one) / bounds.one, BETWEEN_MS)
      const first = from.getTime() + WAITS_MS.least
      const turn = Math.max((turns.get(one) ?? 0) + between, first)
      const soonEnough = Math.min(turn, from.getTime() + WAITS_MS.most)
      turns.set(one, soonEnough)
      return new Date(soonEnough)
    },
  }
}
