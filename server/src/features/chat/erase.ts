import { sql } from 'kysely'
import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'

const BATCH = 1_000

/**
 * What they have written, in every conversation, and how far they have read. Conversations stay for the others: open
 * pages are told of the newest thousand messages that are gone, for a page shows no more.
 */
export async function eraseFromChat(db: Db, { id }: ErasedPerson, now: Date): Promise<void> {
  for (let isNewest = true; ; isNewest = false) {
    const { rows } = await sql`
      with erased as (
        update messages set content = '', client_message_id = null, is_deleted = true, edited_at = null, updated_at = ${now}
        where message_id = any(array(select message_id from messages
          where sender_id = ${id} and not (is_deleted and content = '') order by message_id desc limit ${BATCH}))
        returning *)
      select case when ${isNewest} then append_event(conversation_channels(m.conversation_id), 'message.deleted', ${now},
        message_deleted_event(m), 'conversation:' || m.conversation_id) end
      from messages m where m.message_id in (select message_id from erased)`.execute(db)
    if (rows.length < BATCH) break
  }
  for (const table of ['mentions', 'reactions'])
    await sql`delete from ${sql.table(table)} where user_id = ${id}
      or message_id = any(array(select message_id from messages where sender_id = ${id}))`.execute(db)
  await sql`delete from attachments where user_id = ${id}`.execute(db)
  await sql`delete from conversation_choices where user_id = ${id}`.execute(db)
  await sql`delete from thread_follows where user_id = ${id}`.execute(db)
  await sql`delete from chat_presence where user_id = ${id}`.execute(db)
  await sql`update conversation_members set last_read_message_id = null where user_id = ${id}`.execute(db)
}
