import type { Job } from '../../platform/background/jobs.ts'
import { type Clock, DAY_SECONDS, HOUR_MS, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { purgeCodes } from './store.ts'

const CODES_KEPT_SECONDS = DAY_SECONDS

export function purgeCodesJob({ db, clock }: { db: Db; clock: Clock }): Job {
  const run = () => purgeCodes(db, secondsAfter(clock.now(), -CODES_KEPT_SECONDS))
  return { name: 'purge-calendar-codes', everyMs: HOUR_MS, run }
}
