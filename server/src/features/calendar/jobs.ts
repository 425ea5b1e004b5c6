import type { Job } from '../../platform/background/jobs.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { purgeCodes } from './store.ts'

const HOUR_MS = 60 * 60 * 1_000
const CODES_KEPT_SECONDS = 24 * 60 * 60

export function purgeCodesJob({ db, clock }: { db: Db; clock: Clock }): Job {
  const run = () => purgeCodes(db, secondsAfter(clock.now(), -CODES_KEPT_SECONDS))
  return { name: 'purge-calendar-codes', everyMs: HOUR_MS, run }
}
