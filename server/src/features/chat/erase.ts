import { sql } from 'kysely'
import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'

const BATCH = 1_000

/** What they have written, in every conversation, and how far they have read. Conversations stay for the others. */
export async function eraseFromChat(db: Db, { id }: ErasedPerson, now: Date): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      update messages set content = '', client_message_id = null, is_deleted = true, edited_at = null, updated_at = ${now}
      where message_id = any(array(select message_id from messages
        where sender_id = ${id} and not (is_deleted and content = '') limit ${BATCH}))
      returning 1`.execute(db)
    if (rows.length < BATCH) break
  }
  await sql`delete from mentions where user_id = ${id}
    or message_id = any(array(select message_id from messages where sender_id = ${id}))`.execute(db)
  await sql`delete from attachments where user_id = ${id}`.execute(db)
  await sql`delete from conversation_choices where user_id = ${id}`.execute(db)
  await sql`delete from thread_follows where user_id = ${id}`.execute(db)
  await sql`delete from reactions where user_id = ${id}`.execute(db)
  await sql`delete from chat_presence where user_id = ${id}`.execute(db)
  await sql`update conversation_members set last_read_message_id = null where user_id = ${id}`.execute(db)
}
