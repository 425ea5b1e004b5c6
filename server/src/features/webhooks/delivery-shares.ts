import { boundedCache } from '../../platform/limits/bounded-cache.ts'

/** How many events leave a node at a time. */
export const LANES = 24
/** How many of them go to one webhook: one that answers slowly leaves the others to other webhooks. */
const OF_WEBHOOK = 2
/** And to all of one organization. */
const OF_ORGANIZATION = 6
/** And to all webhooks together that are known to be slow: the rest stays with those that answer at once. */
const OF_SLOW = 12
const SLOW_MS = 1_000
/** An event that has to wait is looked at again after so long, at the earliest and at the latest. */
const WAITS_MS = { least: 50, most: 10 * 60_000 }
/** Two that wait are looked at with so much time between them, at least. */
const BETWEEN_MS = 5
const KNOWN_MAX = 10_000

interface Target {
  webhook: string
  organization: string
}

export interface DeliveryShares {
  /** @returns to be called when the webhook has answered; undefined where others of it are under way */
  take(target: Target): (() => void) | undefined
  /**
   * When to look again at an event that has to wait: those of one webhook come one after the other, as fast as it
   * answers. Looked at all together and again and again, many of them would keep the database busy with nothing.
   * @param from not before
   */
  turnOf(webhook: string, from: Date): Date
}

/** Who may have how much of a node's deliveries. @param now milliseconds of a clock that only goes forward */
export function shareDeliveries(now: () => number = () => performance.now()): DeliveryShares {
  const underWay = new Set<Target & { since: number }>()
  /** How long the last answer of a webhook took. */
  const took = boundedCache<string, number>(KNOWN_MAX)
  /** The last turn that was given to a delivery that waits. */
  const turns = boundedCache<string, number>(KNOWN_MAX)

  const count = (isMeant: (one: Target) => boolean) => [...underWay].filter(isMeant).length
  const takes = (webhook: string) => {
    const waited = [...underWay].filter((one) => one.webhook === webhook).map(({ since }) => now() - since)
    return Math.max(took.get(webhook) ?? 0, ...waited)
  }
  const isSlow = (one: Pick<Target, 'webhook'>) => takes(one.webhook) >= SLOW_MS
  return {
    take(target) {
      const { webhook, organization } = target
      if (count((one) => one.webhook === webhook) >= OF_WEBHOOK) return undefined
      if (count((one) => one.organization === organization) >= OF_ORGANIZATION) return undefined
      if (isSlow(target) && count(isSlow) >= OF_SLOW) return undefined
      const held = { ...target, since: now() }
      underWay.add(held)
      return () => {
        underWay.delete(held)
        const answeredIn = now() - held.since
        took.set(webhook, answeredIn)
        // deliveries that have waited since it was slow come in their turn, and no new ones behind them
        if (answeredIn < SLOW_MS) turns.delete(webhook)
      }
    },
    turnOf(webhook, from) {
      const between = Math.max(takes(webhook) / OF_WEBHOOK, BETWEEN_MS)
      const first = from.getTime() + WAITS_MS.least
      const turn = Math.max((turns.get(webhook) ?? 0) + between, first)
      const soonEnough = Math.min(turn, from.getTime() + WAITS_MS.most)
      turns.set(webhook, soonEnough)
      return new Date(soonEnough)
    },
  }
}
