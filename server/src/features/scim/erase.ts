import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'

/** What directories say of them. A directory that still has them names a deleted account. */
export async function eraseFromDirectories(db: Db, { id }: ErasedPerson): Promise<void> {
  await db.deleteFrom('scim_users').where('user_id', '=', id).execute()
}
