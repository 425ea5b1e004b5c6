import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { deleteExportsOf, listFilesOf } from './store.ts'

/** Their own archives. Those of organizations, which may tell of them, are gone within a day. */
export async function eraseFromExports(
  { db, storage }: { db: Db; storage: Pick<ObjectStoragePort, 'remove'> },
  { id }: ErasedPerson,
): Promise<void> {
  // the files first: where the store fails, whoever tries again still knows them
  await remove(storage, await listFilesOf(db, id))
  await remove(storage, await deleteExportsOf(db, id))
}

async function remove(storage: Pick<ObjectStoragePort, 'remove'>, files: readonly string[]): Promise<void> {
  if (files.length > 0) await storage.remove(files)
}
