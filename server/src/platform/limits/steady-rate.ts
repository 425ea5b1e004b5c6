import { boundedCache } from './bounded-cache.ts'
import type { Taken } from './rate-limit.ts'

/** How much of a limit there is. */
export interface Pace {
  /** How many points each key is given in a window, little by little. 0: no limit. */
  points: number
  /** How many of them a key can have saved up: what it can take at once. */
  burst: number
  /** Who would be given one within so long waits for it; all others are refused. */
  patienceSeconds: number
}

export interface SteadyRatesOptions {
  /** Length of a window. */
  seconds: number
  /** Milliseconds of a clock that only goes forward. */
  now?: () => number
}

export interface Turn extends Taken {
  /** Where it is refused: until it would not be. */
  retrySeconds?: number
  /** Milliseconds to wait before the point may be used: so the calls beyond what was saved up come one by one. */
  afterMs: number
}

/** Each key may have a pace of its own. */
export interface SteadyRates {
  /** Takes one point from what `key` has. `resetSeconds` is the time until nothing is missing. */
  take(key: string, pace: Pace): Turn
  /** Takes points for what has been done already, beyond what there are: the key waits until they are paid. */
  charge(key: string, points: number, pace: Pace): void
  /**
   * For who took a point and had to wait for something else since: seconds until they may go on, where so much has been
   * charged meanwhile that they would be refused now.
   */
  overdrawnSeconds(key: string, pace: Pace): number | undefined
}

/** Of a node; who is left out is given all points again. */
const KEYS_MAX = 100_000

/**
 * A limit that each node counts for itself, and that fills up again all the time: after what was saved up is spent
 * (or was never had), calls come evenly, and not all of a minute in its first seconds (a token bucket, written as the
 * generic cell rate algorithm: one moment for each key).
 */
export function steadyRates({ seconds, now = () => performance.now() }: SteadyRatesOptions): SteadyRates {
  /** When the key has all its points again. */
  const fullAt = boundedCache<string, number>(KEYS_MAX)
  const intervalOf = ({ points }: Pace) => (seconds * 1_000) / points

  return {
    take(key, pace) {
      const { points, burst, patienceSeconds } = pace
      if (points === 0) return UNLIMITED
      const interval = intervalOf(pace)
      const moment = now()
      const full = Math.max(fullAt.get(key) ?? 0, moment) + interval
      const missing = full - moment
      const afterMs = Math.max(missing - interval * burst - ROUNDING, 0)
      const remaining = Math.max(Math.floor(points - missing / interval + ROUNDING), 0)
      const figures = { limit: points, remaining, resetSeconds: inSeconds(missing) }
      const patience = patienceSeconds * 1_000
      if (afterMs > patience)
        return {
          ...figures,
          remaining: 0,
          allowed: false,
          retrySeconds: inSeconds(afterMs - patience),
          afterMs: 0,
        }
      fullAt.set(key, full)
      return { ...figures, allowed: true, afterMs }
    },
    charge(key, more, pace) {
      if (pace.points === 0) return
      const interval = intervalOf(pace)
      const moment = now()
      const full = Math.max(fullAt.get(key) ?? 0, moment) + more * interval
      // no wait is longer than the points of a whole window take
      fullAt.set(key, Math.min(full, moment + interval * pace.burst + seconds * 1_000))
    },
    overdrawnSeconds(key, pace) {
      if (pace.points === 0) return undefined
      const room = intervalOf(pace) * pace.burst
      const beyond = (fullAt.get(key) ?? 0) - now() - room - pace.patienceSeconds * 1_000
      return beyond > ROUNDING ? inSeconds(beyond) : undefined
    },
  }
}

const UNLIMITED: Turn = { allowed: true, limit: 0, remaining: 0, resetSeconds: 0, afterMs: 0 }
/** Whole points must not get lost in sums of fractions, be they of points or of milliseconds. */
const ROUNDING = 1e-6

function inSeconds(milliseconds: number): number {
  return Math.max(Math.ceil(milliseconds / 1_000), 1)
}
