import { shownLogos } from '../../directory/organizations.ts'
import { shownAvatars } from '../../directory/users.ts'
import type { Job } from '../../platform/background/jobs.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { ListedObject, ObjectStoragePort } from '../../ports/object-storage.ts'
import { findReplacedDue, forgetReplaced, stillServed } from './replaced-store.ts'
import { purgeTickets } from './store.ts'

export interface SweepNeeds {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'list' | 'remove'>
}

const MINUTE_MS = 60_000
const BATCH = 500
const HOUR_SECONDS = 60 * 60
const DAY_SECONDS = 24 * HOUR_SECONDS

/** Removes uploads that nobody has finalized, and images that nobody shows. Not every store does so by a rule. */
export function sweepUploadsJob(needs: SweepNeeds): Job {
  return {
    name: 'sweep-uploads',
    everyMs: HOUR_SECONDS * 1_000,
    async run(signal) {
      const now = needs.clock.now()
      const yesterday = secondsAfter(now, -DAY_SECONDS)
      await sweep(needs, signal, 'tmp/', yesterday, async () => [])
      // an image is there a moment before it is shown
      const settled = secondsAfter(now, -HOUR_SECONDS)
      const served = (shown: typeof shownAvatars) => async (keys: string[]) => [
        ...(await shown(needs.db, keys)),
        ...(await stillServed(needs.db, keys, now)),
      ]
      await sweep(needs, signal, 'avatars/', settled, served(shownAvatars))
      await sweep(needs, signal, 'logos/', settled, served(shownLogos))
      await purgeTickets(needs.db, secondsAfter(yesterday, -DAY_SECONDS))
    },
  }
}

/** Removes images that were replaced, once everybody has had the time to hear of it. */
export function removeReplacedJob(needs: SweepNeeds): Job {
  return {
    name: 'remove-replaced-images',
    everyMs: MINUTE_MS,
    async run(signal) {
      const due = () => findReplacedDue(needs.db, needs.clock.now(), BATCH)
      for (let keys = await due(); keys.length > 0 && !signal.aborted; keys = await due()) {
        await needs.storage.remove(keys)
        await forgetReplaced(needs.db, keys)
      }
    },
  }
}

async function sweep(
  needs: SweepNeeds,
  signal: AbortSignal,
  prefix: string,
  before: Date,
  inUse: (keys: string[]) => Promise<string[]>,
): Promise<void> {
  for await (const batch of needs.storage.list(prefix)) {
    if (signal.aborted) return
    const old = batch.filter((object: ListedObject) => object.modifiedAt < before).map(({ key }) => key)
    if (old.length === 0) continue
    const kept = new Set(await inUse(old))
    const gone = old.filter((key) => !kept.has(key))
    if (gone.length > 0) await needs.storage.remove(gone)
  }
}
