import { type Clock, secondsAfter } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { Log } from '../log.ts'
import { every } from '../timing/timer.ts'
import { type ClaimedItem, extendLease } from './work-items.ts'

/** How long an item is left to the worker that took it: when that one dies, another takes it up so much later. */
export const LEASE_SECONDS = 15
const EXTEND_EVERY_MS = 5_000

/**
 * Extends the lease of an item until `end` is called. Aborts `interrupted` where another node has the item, or may have
 * it because the database could not be told in time.
 */
export function keepLease(
  { db, clock, log }: { db: Db; clock: Clock; log: Pick<Log, 'warn'> },
  item: ClaimedItem,
  interrupted: AbortController,
): { end(): void } {
  let sureUntil = performance.now() + LEASE_SECONDS * 1_000
  const lose = () => {
    timer.stop()
    log.warn('work taken by somebody else, or withdrawn')
    interrupted.abort(new Error('the lease was lost'))
  }
  const extend = async () => {
    const asked = performance.now()
    try {
      const isOurs = await extendLease(db, item, secondsAfter(clock.now(), LEASE_SECONDS))
      if (ended || interrupted.signal.aborted) return
      if (!isOurs) return lose()
      sureUntil = asked + LEASE_SECONDS * 1_000
    } catch {
      if (!ended && performance.now() >= sureUntil) lose()
    }
  }
  let ended = false
  const timer = every(EXTEND_EVERY_MS, extend, lose)
  return {
    end() {
      ended = true
      timer.stop()
    },
  }
}
