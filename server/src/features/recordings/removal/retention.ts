import { pagesOfDue } from '../../../directory/retention.ts'
import type { Job } from '../../../platform/background/jobs.ts'
import {
  type Clock,
  DAY_MS,
  DAY_SECONDS,
  HOUR_MS,
  HOUR_SECONDS,
  secondsAfter,
} from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { type PartedRun, partedRun } from '../../../platform/outside/part-failures.ts'
import type { ObjectStoragePort } from '../../../ports/object-storage.ts'
import { filesOfRecordings } from '../store-of-all.ts'
import { speechThatWaits } from '../transcript/transcript-store.ts'
import { finishRemovals } from './removal.ts'
import {
  beginRemovalAgain,
  beginRemovalOfDue,
  beginRemovalOfOld,
  type LeavingRecording,
} from './removal-store.ts'

export interface RetentionNeeds {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'list' | 'remove'>
  fileDays: number
}

const BATCH = 500

/**
 * Deletes recordings with their files when their time is over: of all as the deployment says, and sooner where an
 * organization has decided so. What is under legal hold is not looked at. Finishes what was interrupted,
 * and tries again what failed an hour ago; one file that cannot be removed stops no other.
 */
export function purgeRecordingsJob(needs: RetentionNeeds): Job {
  return {
    name: 'purge-recordings',
    everyMs: HOUR_MS,
    async run(signal) {
      const { db, clock, fileDays } = needs
      const now = clock.now()
      const longOver = secondsAfter(now, -fileDays * DAY_SECONDS)
      const interrupted = secondsAfter(now, -HOUR_SECONDS)
      const removals = partedRun('removals of recordings', (leaving: readonly LeavingRecording[]) =>
        finishRemovals(needs, leaving),
      )
      const removeAll = (next: () => Promise<LeavingRecording[]>) => removePages(removals, signal, next)
      await removeAll(() => beginRemovalAgain(db, interrupted, now, BATCH))
      await removeAll(() => beginRemovalOfOld(db, longOver, now, BATCH))
      for await (const due of pagesOfDue(db, 'recording', null, now))
        await removeAll(() => beginRemovalOfDue(db, due, now, BATCH))
      removals.end()
    },
  }
}

/** What fails is passed over until the next time: it has begun now, and no page brings it again. */
async function removePages(
  removals: PartedRun<LeavingRecording>,
  signal: AbortSignal,
  next: () => Promise<LeavingRecording[]>,
): Promise<void> {
  while (!signal.aborted) {
    const leaving = await next()
    if (leaving.length === 0) return
    await removals.run(leaving)
  }
}

/**
 * Removes files that belong to no recording any more, such as that of one that was deleted while the recorder still had it.
 * It goes through all files that there are, and therefore only once a day.
 */
export function removeOrphanedRecordingsJob({ db, clock, storage }: Omit<RetentionNeeds, 'fileDays'>): Job {
  return {
    name: 'remove-orphaned-recordings',
    everyMs: DAY_MS,
    async run(signal) {
      const yesterday = secondsAfter(clock.now(), -DAY_SECONDS)
      const removals = partedRun('removals of files', (keys: readonly string[]) => storage.remove(keys))
      for await (const batch of storage.list('recordings/')) {
        if (signal.aborted) return
        const old = batch.filter(({ modifiedAt }) => modifiedAt < yesterday).map(({ key }) => key)
        if (old.length === 0) continue
        const kept = new Set([...(await filesOfRecordings(db, old)), ...(await speechThatWaits(db, old))])
        const gone = old.filter((key) => !kept.has(key))
        await removals.run(gone)
      }
      removals.end()
    },
  }
}
