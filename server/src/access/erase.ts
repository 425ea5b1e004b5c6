import type { ErasedPerson } from '../directory/erasure.ts'
import type { Db } from '../platform/database/database.ts'

/** Where they were signed in, and what answers to their requests said. */
export async function eraseFromAccess(db: Db, { id }: ErasedPerson): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', id).execute()
  await db.deleteFrom('idempotent_replies').where('user_id', '=', id).execute()
}
