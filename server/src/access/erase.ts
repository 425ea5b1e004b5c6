import type { ErasedPerson } from '../directory/erasure.ts'
import type { Db } from '../platform/database/database.ts'
import { forgetEndingsOf } from './sessions/ended-access-store.ts'

/** Nodes close by what has ended lately what is still open. */
const STILL_NEEDED_SECONDS = 30 * 60

/** Where they were signed in, and what answers to their requests said. */
export async function eraseFromAccess(db: Db, { id }: ErasedPerson): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', id).execute()
  await db.deleteFrom('idempotent_replies').where('user_id', '=', id).execute()
  await forgetEndingsOf(db, id, STILL_NEEDED_SECONDS)
}
