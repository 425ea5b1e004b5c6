import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'

/** How they appeared, what they said of themselves, and when they were in meetings. */
export async function eraseFromPresence(db: Db, { id }: ErasedPerson): Promise<void> {
  await db.deleteFrom('presence').where('user_id', '=', id).execute()
  await db.deleteFrom('presence_meetings').where('user_id', '=', id).execute()
}
