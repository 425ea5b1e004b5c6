import { recoverableSince } from '../../../directory/organizations.ts'
import type { Job } from '../../../platform/background/jobs.ts'
import { type Clock, DAY_SECONDS, HOUR_MS, secondsAfter } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { purgeAttachments } from './store.ts'

const BATCH = 500

/** Removes files that were uploaded and never sent, and those of organizations that cannot be brought back any more. */
export function purgeAttachmentsJob({ db, clock }: { db: Db; clock: Clock }): Job {
  return {
    name: 'purge-attachments',
    everyMs: HOUR_MS,
    async run(signal) {
      const now = clock.now()
      const before = { waiting: secondsAfter(now, -DAY_SECONDS), deleted: recoverableSince(now) }
      while (!signal.aborted && (await purgeAttachments(db, before, BATCH)) > 0);
    },
  }
}
