import { sql } from 'kysely'
import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'

/** Invitations to their addresses, from all senders, and those that they have accepted. */
export async function eraseFromInvitations(db: Db, { id, emails, deletedAt }: ErasedPerson): Promise<void> {
  await sql`
    delete from invitations where email = any(${emails}::text[]) and created_at <= ${deletedAt}
      or accepted_by_user_id = ${id}`.execute(db)
}
