import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { partedRun } from '../../platform/outside/part-failures.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { takeReplacedBelow } from './replaced-store.ts'

interface Needs {
  db: Db
  storage: Pick<ObjectStoragePort, 'list' | 'remove'>
}

/**
 * Their pictures: the one that was shown, earlier ones, and what was uploaded and never finished. One that cannot be
 * removed stops no other. @throws Error where some are left, so that it is tried again
 */
export async function eraseFromUploads({ db, storage }: Needs, { id }: ErasedPerson): Promise<void> {
  const removals = partedRun('removals of pictures', (keys: readonly string[]) => storage.remove(keys))
  for (const prefix of [`avatars/${id}/`, `tmp/${id}/`]) {
    for await (const objects of storage.list(prefix)) await removals.run(objects.map(({ key }) => key))
    await transaction(db, async (tx) => void (await takeReplacedBelow(tx, prefix)))
  }
  removals.end()
  await db.deleteFrom('upload_tickets').where('owner', '=', id).execute()
}
