import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { deleteExportsOf } from './store.ts'

/** Their own archives. Those of organizations, which may tell of them, are gone within a day. */
export async function eraseFromExports(
  { db, storage }: { db: Db; storage: Pick<ObjectStoragePort, 'remove'> },
  { id }: ErasedPerson,
): Promise<void> {
  const files = await deleteExportsOf(db, id)
  if (files.length > 0) await storage.remove(files)
}
