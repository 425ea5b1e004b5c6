import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import type { ImageSlot } from './image-slot.ts'
import { takeReplacedBelow } from './replaced-store.ts'

export interface RemoveNeeds {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'remove'>
}

/**
 * Shows no image any more, and removes it from the storage, with those that were replaced a moment ago. Where there is
 * none, that is well too.
 */
export async function removeImage(needs: RemoveNeeds, slot: ImageSlot): Promise<void> {
  const keys = await transaction(needs.db, async (tx) => {
    const replaced = await takeReplacedBelow(tx, `${slot.folder}/${slot.ownerId}/`)
    const before = await slot.replace(tx, null, needs.clock.now())
    return before === null ? replaced : [before, ...replaced]
  })
  // what cannot be removed now is found by the sweeper
  if (keys.length > 0) await needs.storage.remove(keys).catch(() => undefined)
}
