import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'
import { partedRun } from '../../platform/outside/part-failures.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { deleteExportsOf, listFilesOf } from './store.ts'

/** Their own archives. Those of organizations, which may tell of them, are gone within a day. */
export async function eraseFromExports(
  { db, storage }: { db: Db; storage: Pick<ObjectStoragePort, 'remove'> },
  { id }: ErasedPerson,
): Promise<void> {
  // the files first: where the store fails, the next attempt still knows them
  await remove(storage, await listFilesOf(db, id))
  await remove(storage, await deleteExportsOf(db, id))
}

/** One that cannot be removed stops no other. @throws Error where some are left, so that it is tried again */
async function remove(storage: Pick<ObjectStoragePort, 'remove'>, files: readonly string[]): Promise<void> {
  const removals = partedRun('removals of archives', (keys: readonly string[]) => storage.remove(keys))
  await removals.run(files)
  removals.end()
}
