import { keptLogos } from '../../directory/organizations.ts'
import { shownAvatars } from '../../directory/users.ts'
import type { Job } from '../../platform/background/jobs.ts'
import {
  type Clock,
  DAY_SECONDS,
  HOUR_MS,
  HOUR_SECONDS,
  MINUTE_MS,
  secondsAfter,
} from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { type PartedRun, partedRun } from '../../platform/outside/part-failures.ts'
import type { ListedObject, ObjectStoragePort } from '../../ports/object-storage.ts'
import { findReplacedDue, forgetReplaced, type ReplacedImage, stillServed } from './replaced-store.ts'
import { purgeTickets } from './store.ts'

export interface SweepNeeds {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'list' | 'remove'>
}

/** A folder of another feature, and which of its keys are in use. */
export interface KeptFolder {
  prefix: string
  kept(keys: readonly string[]): Promise<string[]>
}

interface SweepAllNeeds extends SweepNeeds {
  storage: Pick<ObjectStoragePort, 'list' | 'remove' | 'dropParts'>
  folders: readonly KeptFolder[]
}

const BATCH = 500

/** Removes uploads that were never finalized, and images that are shown nowhere. Not every store does so by a rule. */
export function sweepUploadsJob(needs: SweepAllNeeds): Job {
  return {
    name: 'sweep-uploads',
    everyMs: HOUR_MS,
    async run(signal) {
      const now = needs.clock.now()
      const yesterday = secondsAfter(now, -DAY_SECONDS)
      const removals = removalsOf(needs)
      const sweep = (prefix: string, before: Date, inUse: (keys: string[]) => Promise<string[]>) =>
        sweepBelow({ storage: needs.storage, removals }, signal, { prefix, before, inUse })
      await sweep('tmp/', yesterday, async () => [])
      await needs.storage.dropParts('tmp/', yesterday)
      // an image is there a moment before it is shown
      const settled = secondsAfter(now, -HOUR_SECONDS)
      const shownOrServed = (shown: typeof keptLogos) => async (keys: string[]) => [
        ...(await shown(needs.db, keys, now)),
        ...(await stillServed(needs.db, keys, now)),
      ]
      await sweep('avatars/', settled, shownOrServed(shownAvatars))
      await sweep('logos/', settled, shownOrServed(keptLogos))
      for (const { prefix, kept } of needs.folders) await sweep(prefix, settled, kept)
      await purgeTickets(needs.db, secondsAfter(yesterday, -DAY_SECONDS))
      removals.end()
    },
  }
}

/** Removes images that were replaced, once all clients have had the time to hear of it. */
export function removeReplacedJob(needs: SweepNeeds): Job {
  return {
    name: 'remove-replaced-images',
    everyMs: MINUTE_MS,
    async run(signal) {
      const removals = removalsOf(needs)
      const now = needs.clock.now()
      // page by page: what cannot be removed stays, and would come first again
      for (let after: ReplacedImage | undefined; !signal.aborted; ) {
        const due = await findReplacedDue(needs.db, { now, after }, BATCH)
        if (due.length === 0) break
        await forgetReplaced(needs.db, await removals.run(due.map(({ key }) => key)))
        after = due.at(-1)
      }
      removals.end()
    },
  }
}

/** One file that cannot be removed stops no other, and is tried again with the next run. */
function removalsOf({ storage }: SweepNeeds): PartedRun<string> {
  return partedRun('removals of images', (keys: readonly string[]) => storage.remove(keys))
}

async function sweepBelow(
  { storage, removals }: Pick<SweepNeeds, 'storage'> & { removals: PartedRun<string> },
  signal: AbortSignal,
  { prefix, before, inUse }: { prefix: string; before: Date; inUse: (keys: string[]) => Promise<string[]> },
): Promise<void> {
  for await (const batch of storage.list(prefix)) {
    if (signal.aborted) return
    const old = batch.filter((object: ListedObject) => object.modifiedAt < before).map(({ key }) => key)
    if (old.length === 0) continue
    const kept = new Set(await inUse(old))
    await removals.run(old.filter((key) => !kept.has(key)))
  }
}
