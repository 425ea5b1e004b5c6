import { AtriumError } from '../errors.ts'

const FIRST_MS = 1_000
const LONGEST_MS = 60_000
/** Longer than a timer counts. */
const TIMER_MAX_MS = 2 ** 31 - 1

/**
 * How long to wait before another try: twice as long after each failure, up to a minute, and never before the office wants
 * it. Every wait is jittered, so that pages that failed together do not come back together.
 *
 * @param failures how many there were in a row, 1 after the first
 */
export function backoffMs(failures: number, retryAfterSeconds = 0, random = Math.random): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1))
  const own = longest * (0.5 + random() / 2)
  const wanted = retryAfterSeconds * 1_000
  // what the office names is the earliest moment for all of them
  const earliest = wanted + random() * Math.min(LONGEST_MS, Math.max(FIRST_MS, wanted / 4))
  return Math.min(TIMER_MAX_MS, wanted > 0 ? Math.max(own, earliest) : own)
}

/** Refusals that a later try may not meet: too late, too early, too much. */
const PASSING = [408, 425, 429]

/** From when on another try may succeed, in seconds (0: at any time); undefined where it would be refused as well. */
export function retryAfter(error: unknown): number | undefined {
  if (!(error instanceof AtriumError)) return 0
  const isPassing = error.status >= 500 || PASSING.includes(error.status)
  return isPassing ? (error.retryAfterSeconds ?? 0) : undefined
}
