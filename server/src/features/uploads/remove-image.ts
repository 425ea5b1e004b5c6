import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import type { ImageSlot } from './image-slot.ts'

export interface RemoveNeeds {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'remove'>
}

/** Shows no image any more, and removes it from the storage. Where there is none, that is well too. */
export async function removeImage(needs: RemoveNeeds, slot: ImageSlot): Promise<void> {
  const before = await transaction(needs.db, (tx) => slot.replace(tx, null, needs.clock.now()))
  // what cannot be removed now is found by the sweeper
  if (before !== null) await needs.storage.remove([before]).catch(() => undefined)
}
