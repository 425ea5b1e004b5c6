import { sql } from 'kysely'
import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'

/** In the place of what somebody has written: a message is never empty, and others have answered it. */
const ERASED_CONTENT = 'This message was deleted'
const BATCH = 1_000

/** What they have written, in every conversation, and how far they have read. Conversations stay for the others. */
export async function eraseFromChat(db: Db, { id }: ErasedPerson, now: Date): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      update messages set content = ${ERASED_CONTENT}, client_message_id = null, is_deleted = true, updated_at = ${now}
      where message_id = any(array(select message_id from messages
        where sender_id = ${id} and not (is_deleted and content = ${ERASED_CONTENT}) limit ${BATCH}))
      returning 1`.execute(db)
    if (rows.length < BATCH) break
  }
  await sql`delete from reactions where user_id = ${id}`.execute(db)
  await sql`delete from chat_presence where user_id = ${id}`.execute(db)
  await sql`update conversation_members set last_read_message_id = null where user_id = ${id}`.execute(db)
}
