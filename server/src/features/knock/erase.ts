import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'

/** Whom they knocked at, and who knocked at them. */
export async function eraseFromKnocks(db: Db, { id }: ErasedPerson): Promise<void> {
  await db
    .deleteFrom('knocks')
    .where((where) => where.or([where('from_user_id', '=', id), where('to_user_id', '=', id)]))
    .execute()
}
