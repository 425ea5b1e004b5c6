import type { Job } from '../../platform/background/jobs.ts'
import { type Clock, HOUR_MS, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { expireKnocks, purgeKnocks } from './store.ts'

const SECOND_MS = 1_000
/** For an answer that comes twice. */
const KEPT_SECONDS = 10 * 60

/** Knocks without an answer end, on every node and through restarts. */
export function knockJobs({ db, clock }: { db: Db; clock: Clock }): Job[] {
  return [
    { name: 'expire-knocks', everyMs: SECOND_MS, run: () => expireKnocks(db, clock.now()) },
    {
      name: 'purge-knocks',
      everyMs: HOUR_MS,
      run: () => purgeKnocks(db, secondsAfter(clock.now(), -KEPT_SECONDS)),
    },
  ]
}
