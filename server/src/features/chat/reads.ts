import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { OrganizationId, RoomId, UserId } from '../../platform/ids.ts'
import { refusalOfRaised } from './messages/raised.ts'

/** A message as an event tells it to a member of its conversation, as it is now; undefined where it is none of theirs. */
export async function messageAsTold(
  db: Db,
  organization: OrganizationId,
  {
    message,
    reader,
    event,
  }: { message: number; reader: UserId; event: 'message.created' | 'message.updated' },
): Promise<unknown> {
  const { rows } = await sql<{ told: unknown }>`
    select message_as_told(${message}, ${organization}, ${reader}, ${event}) as told`.execute(db)
  return rows[0]?.told ?? undefined
}

/** A guest who is admitted to a room. */
export interface ChatGuest {
  id: string
  name: string
  organization: OrganizationId
  room: RoomId
}

/**
 * Writes as a guest, under the rules of texts and rates of members. Sent before: nothing.
 * @param most messages in 10 seconds; 0: no limit
 * @throws Refusal invalid, not-found, rate-limited
 */
export async function sendAsGuest(
  tx: Tx,
  { id, name, organization, room }: ChatGuest,
  said: { content: string; clientMessageId: string | undefined },
  most: number,
): Promise<void> {
  await sql`
    select send_as_guest(${organization}, ${room}, ${id}, ${name}, ${said.content},
      ${said.clientMessageId ?? null}::uuid, ${most})`
    .execute(tx)
    .catch((error: unknown) => {
      throw refusalOfRaised(error) ?? error
    })
}

/** A message as a guest reads it. */
export interface MessageForGuest {
  id: number
  name: string
  guestIdentity: string | null
  mine: boolean
  content: string
  createdAt: Date
  /** Of their own, where they gave one. */
  clientMessageId: string | null
}

/** What was written in the conversation of a room since a moment, oldest first. */
export async function messagesForGuest(
  db: Db,
  { id, organization, room }: ChatGuest,
  { since, after, limit }: { since: Date; after: number | undefined; limit: number },
): Promise<MessageForGuest[]> {
  const { rows } = await sql<Omit<MessageForGuest, 'id'> & { id: string }>`
    select f.message_id as id, f.name, f.guest as "guestIdentity", f.mine, f.content, f.created_at as "createdAt",
      case when f.mine then m.client_message_id end as "clientMessageId"
    from messages_for_guest(${organization}, ${room}, ${id}, ${since}, ${after ?? null}, ${limit}) f
      join messages m on m.message_id = f.message_id
    order by f.message_id`.execute(db)
  return rows.map((row) => ({ ...row, id: Number(row.id) }))
}

/** A message that was edited, or deleted, as a guest who has read it hears of it. */
export interface ChangedForGuest {
  id: number
  /** Empty where it was deleted. */
  content: string
  isDeleted: boolean
}

/**
 * What was edited or deleted since a moment, of what was written since another, the latest first; and the moment of the
 * database at which this was read.
 * @param asked.changedSince undefined: nothing is looked for
 */
export async function changedForGuest(
  db: Db,
  { organization, room }: ChatGuest,
  { since, changedSince, limit }: { since: Date; changedSince: Date | undefined; limit: number },
): Promise<{ changed: ChangedForGuest[]; asOf: Date }> {
  const looked = sql`changed_for_guest(${organization}, ${room}, ${since}, ${changedSince ?? null}, ${limit})`
  const { rows } = await sql<{ changed: ChangedForGuest[]; asOf: Date }>`
    select clock_timestamp() as "asOf", coalesce((
      select json_agg(json_build_object('id', f.message_id, 'content', f.content, 'isDeleted', f.is_deleted))
      from ${looked} f), '[]') as changed`.execute(db)
  return rows[0] as { changed: ChangedForGuest[]; asOf: Date }
}
