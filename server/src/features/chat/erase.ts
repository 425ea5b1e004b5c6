import { sql } from 'kysely'
import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'

const BATCH = 1_000
const TOLD_MAX = 50

/**
 * What they have written, in every conversation, and how far they have read. Conversations stay for the others, who are
 * told of the newest messages that are gone: those that an open page shows most likely.
 */
export async function eraseFromChat(db: Db, { id }: ErasedPerson, now: Date): Promise<void> {
  const { rows: newest } = await sql<{ message: string }>`
    select message_id as message from messages where sender_id = ${id} and not (is_deleted and content = '')
    order by created_at desc limit ${TOLD_MAX}`.execute(db)
  for (;;) {
    const { rows } = await sql`
      update messages set content = '', client_message_id = null, is_deleted = true, edited_at = null, updated_at = ${now}
      where message_id = any(array(select message_id from messages
        where sender_id = ${id} and not (is_deleted and content = '') limit ${BATCH}))
      returning 1`.execute(db)
    if (rows.length < BATCH) break
  }
  await sql`
    with gone as (select m as message from messages m where m.message_id = any(${newest.map(({ message }) => message)}::bigint[])),
      told as (select distinct (message).conversation_id as conversation from gone),
      heard as materialized (select conversation, conversation_channels(conversation) as channels from told)
    select append_event(h.channels, 'message.deleted', ${now}, message_deleted_event(g.message), 'conversation:' || h.conversation)
    from gone g join heard h on h.conversation = (g.message).conversation_id`.execute(db)
  for (const table of ['mentions', 'reactions'])
    await sql`delete from ${sql.table(table)} where user_id = ${id}
      or message_id = any(array(select message_id from messages where sender_id = ${id}))`.execute(db)
  await sql`delete from attachments where user_id = ${id}`.execute(db)
  await sql`delete from conversation_choices where user_id = ${id}`.execute(db)
  await sql`delete from thread_follows where user_id = ${id}`.execute(db)
  await sql`delete from chat_presence where user_id = ${id}`.execute(db)
  await sql`update conversation_members set last_read_message_id = null where user_id = ${id}`.execute(db)
}
