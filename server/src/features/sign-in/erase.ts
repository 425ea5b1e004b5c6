import { sql } from 'kysely'
import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'
import { purgeRedirectSignIns } from './federated/redirect-store.ts'

/**
 * Ways in that a person has begun or linked. Sign-ins elsewhere name no account while they are sealed: those that are
 * over are removed for all, and the others when this is done once more.
 */
export async function eraseFromSignIn(
  db: Db,
  { id, emails, deletedAt }: ErasedPerson,
  now: Date,
): Promise<void> {
  await db.deleteFrom('pending_sign_ins').where('user_id', '=', id).execute()
  await db.deleteFrom('recovery_links').where('user_id', '=', id).execute()
  await db.deleteFrom('linked_identities').where('user_id', '=', id).execute()
  await purgeRedirectSignIns(db, now)
  await sql`
    delete from code_requests where email = any(${emails}::text[]) and created_at <= ${deletedAt}`.execute(db)
  await sql`
    delete from pending_sign_ups where email = any(${emails}::text[]) and created_at <= ${deletedAt}`.execute(
    db,
  )
  await sql`
    update pilot_tokens set reserved_for = null, reserved_until = null
    where reserved_for = any(${emails}::text[])`.execute(db)
}
