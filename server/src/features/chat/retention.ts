import { sql } from 'kysely'
import { columnsOfDue, type Due } from '../../directory/retention.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'

const BATCH = 500

/**
 * Deletes messages whose time is over, oldest first. An answer that stays stands by itself then, and a person who had read up
 * to one of them has read nothing that is left. No client is told: they learn of it when they read a conversation again.
 * @returns how many
 */
export async function deleteOldMessages(db: Db, due: readonly Due[], signal: AbortSignal): Promise<number> {
  let deleted = 0
  while (!signal.aborted) {
    const batch = await transaction(db, (tx) => deleteBatch(tx, due))
    deleted += batch
    if (batch === 0) break
  }
  return deleted
}

async function deleteBatch(tx: Tx, due: readonly Due[]): Promise<number> {
  const { organizations, befores } = columnsOfDue(due)
  // by messages_by_age: of each organization its oldest, and nothing of what stays
  const { rows } = await sql<{ id: string; conversation: string }>`
    select m.message_id as id, m.conversation_id as conversation
    from unnest(${organizations}::bigint[], ${befores}::timestamptz[]) as due (organization, before)
      cross join lateral (select message_id, conversation_id from messages
        where org_id = due.organization and created_at < due.before
        order by created_at limit ${BATCH} for update) as m
    limit ${BATCH}`.execute(tx)
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  const conversations = [...new Set(rows.map(({ conversation }) => conversation))]
  await sql`update messages set parent_message_id = null
    where parent_message_id = any(${ids}::bigint[]) and not message_id = any(${ids}::bigint[])`.execute(tx)
  await sql`update conversation_members set last_read_message_id = null
    where conversation_id = any(${conversations}::bigint[]) and last_read_message_id = any(${ids}::bigint[])`.execute(
    tx,
  )
  await sql`delete from messages where message_id = any(${ids}::bigint[])`.execute(tx)
  return rows.length
}
