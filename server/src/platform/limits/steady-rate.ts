import type { Taken } from '../rate-limit.ts'
import { boundedCache } from './bounded-cache.ts'

export interface SteadyRateOptions {
  /** How many points each key is given in `seconds`, little by little. 0: no limit. */
  points: number
  seconds: number
  /** How many of them a key can have saved up: what it can take at once. */
  burst: number
  /** Who would be given one within so long waits for it; all others are refused. */
  patienceSeconds: number
  /** Milliseconds of a clock that only goes forward. */
  now?: () => number
}

export interface Turn extends Taken {
  /** Where it is refused: until it would not be. */
  retrySeconds?: number
  /** Milliseconds to wait before the point may be used: so the calls beyond what was saved up come one by one. */
  afterMs: number
}

export interface SteadyRate {
  /** Takes one point from what `key` has. `resetSeconds` is the time until nothing is missing. */
  take(key: string): Turn
  /** Takes points for what has been done already, beyond what there are: the key waits until they are paid. */
  charge(key: string, points: number): void
  /**
   * For who took a point and had to wait for something else since: seconds until they may go on, where so much has been
   * charged meanwhile that they would be refused now.
   */
  overdrawnSeconds(key: string): number | undefined
}

/** Of a node; who is left out is given all points anew. */
const KEYS_MAX = 100_000

/**
 * A limit that each node counts for itself, and that fills up again all the time: after what was saved up is spent
 * (or was never had), calls come evenly, and not all of a minute in its first seconds (a token bucket, written as the
 * generic cell rate algorithm: one moment for each key).
 */
export function steadyRate(options: SteadyRateOptions): SteadyRate {
  const { points, seconds, burst, patienceSeconds, now = () => performance.now() } = options
  if (points === 0) return { take: () => UNLIMITED, charge: () => {}, overdrawnSeconds: () => undefined }
  const interval = (seconds * 1_000) / points
  const room = interval * burst
  const patience = patienceSeconds * 1_000
  /** When the key has all its points again. */
  const fullAt = boundedCache<string, number>(KEYS_MAX)

  return {
    take(key) {
      const moment = now()
      const full = Math.max(fullAt.get(key) ?? 0, moment) + interval
      const missing = full - moment
      const afterMs = Math.max(missing - room - ROUNDING, 0)
      const remaining = Math.max(Math.floor(points - missing / interval + ROUNDING), 0)
      const told = { limit: points, remaining, resetSeconds: inSeconds(missing) }
      if (afterMs > patience)
        return {
          ...told,
          remaining: 0,
          allowed: false,
          retrySeconds: inSeconds(afterMs - patience),
          afterMs: 0,
        }
      fullAt.set(key, full)
      return { ...told, allowed: true, afterMs }
    },
    charge(key, more) {
      const moment = now()
      const full = Math.max(fullAt.get(key) ?? 0, moment) + more * interval
      // nobody waits longer than the points of a whole window take
      fullAt.set(key, Math.min(full, moment + room + seconds * 1_000))
    },
    overdrawnSeconds(key) {
      const beyond = (fullAt.get(key) ?? 0) - now() - room - patience
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
