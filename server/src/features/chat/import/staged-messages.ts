import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import type { OrganizationId } from '../../../platform/ids.ts'

/**
 * Messages of an export, sorted by the database: in a table of one connection, so that none of them is kept in memory and
 * nothing of them is left when it is closed.
 */
export type OneConnection = Db | Tx

/** A message as it will stand, but for its conversation and ids. */
export interface StagedMessage {
  /** The place of its conversation in the export. */
  conversation: number
  /** A UUID that the same export makes again. */
  key: string
  at: Date
  sender: string | undefined
  guest: string | undefined
  guestName: string | undefined
  content: string
  isEdited: boolean
  parent: string | undefined
  reactions: readonly { user: string; emoji: string }[]
}

/** Messages of one transaction. */
const PAGE = 500

export async function openStage(db: OneConnection): Promise<void> {
  await sql`drop table if exists pg_temp.staged_messages`.execute(db)
  await sql`
    create temporary table staged_messages (
      n bigint generated always as identity primary key, conversation integer not null, key uuid not null,
      at timestamptz not null, sender bigint, guest uuid, guest_name text, content text not null, is_edited boolean not null,
      parent uuid, reactions jsonb not null, message_id bigint, twin_of uuid)`.execute(db)
}

export async function closeStage(db: OneConnection): Promise<void> {
  await sql`drop table if exists pg_temp.staged_messages`.execute(db)
}

export async function stage(db: OneConnection, messages: readonly StagedMessage[]): Promise<void> {
  if (messages.length === 0) return
  await sql`
    insert into staged_messages
      (conversation, key, at, sender, guest, guest_name, content, is_edited, parent, reactions)
    select conversation, key, at, sender, guest, "guestName", content, "isEdited", parent, reactions
    from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as (conversation integer, key uuid, at timestamptz,
      sender bigint, guest uuid, "guestName" text, content text, "isEdited" boolean, parent uuid, reactions jsonb)`.execute(
    db,
  )
}

/**
 * All are staged: what is asked of them now is asked by their order. @returns how many stood there twice, and are left out
 */
export async function endStaging(
  db: OneConnection,
  { keysHaveTwins }: { keysHaveTwins: boolean },
): Promise<number> {
  const twice = keysHaveTwins ? 0 : await leaveRepeated(db)
  if (keysHaveTwins) await tellTwinsApart(db)
  await sql`create unique index on staged_messages (conversation, key)`.execute(db)
  await sql`create index on staged_messages (conversation, at, n) where message_id is null`.execute(db)
  // those that have got their ids are asked for by them
  await sql`create index on staged_messages (message_id) where message_id is not null`.execute(db)
  await sql`analyze staged_messages`.execute(db)
  return twice
}

const PLACES = sql`(select n, row_number() over (partition by conversation, key order by n) as place from staged_messages)`

async function leaveRepeated(db: OneConnection): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from staged_messages s using ${PLACES} among where among.n = s.n and among.place > 1`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Of messages with one key the first keeps it, the others get one by their place among them, which is the same whenever the
 * export is read. What answers one of them stands behind it, and before the next.
 */
async function tellTwinsApart(db: OneConnection): Promise<void> {
  await sql`
    update staged_messages s set twin_of = s.key, key = md5(s.key || ' twin ' || among.place)::uuid
    from ${PLACES} among where among.n = s.n and among.place > 1`.execute(db)
  await sql`create index on staged_messages (conversation, twin_of, n) where twin_of is not null`.execute(db)
  await sql`
    update staged_messages s set parent = answered.key
    from staged_messages reply cross join lateral (
      select t.key from staged_messages t
      where t.conversation = reply.conversation and t.twin_of = reply.parent and t.n < reply.n
      order by t.n desc limit 1) answered
    where s.n = reply.n and reply.parent is not null`.execute(db)
}

/** Those of the stage that are in their conversation by an earlier import. */
export async function markWritten(
  db: OneConnection,
  conversation: number,
  conversationId: string,
): Promise<void> {
  await sql`
    update staged_messages s set message_id = m.message_id
    from messages m
    where s.conversation = ${conversation} and m.conversation_id = ${conversationId} and m.client_message_id = s.key`.execute(
    db,
  )
}

export async function isAnyLeft(db: OneConnection, conversation: number): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from staged_messages where conversation = ${conversation} and message_id is null) as is`.execute(
    db,
  )
  return rows[0]?.is === true
}

/** What is not written of a conversation is not to be. */
export async function leaveStaged(db: OneConnection, conversation: number): Promise<void> {
  await sql`delete from staged_messages where conversation = ${conversation} and message_id is null`.execute(
    db,
  )
}

/**
 * What is older than the last message that came by an earlier import is not written behind it: it would look new, and what
 * retention or an erasure has removed would come back. @returns how many
 */
export async function leaveEarlier(db: OneConnection, conversation: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from staged_messages where conversation = ${conversation} and message_id is null and at < (
      select max(at) from staged_messages where conversation = ${conversation} and message_id is not null)`.execute(
    db,
  )
  return Number(numAffectedRows)
}

export interface Counts {
  /** Not there yet. */
  left: number
  /** There by an earlier import. */
  there: number
  /** Of those that are left: the answer to a message that the export does not have. */
  orphans: number
}

export async function countStaged(db: OneConnection, conversation: number): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select count(*) filter (where s.message_id is null)::int as left,
      count(*) filter (where s.message_id is not null)::int as there,
      count(*) filter (where s.message_id is null and s.parent is not null and not exists (select from staged_messages p
        where p.conversation = s.conversation and p.key = s.parent
          and (p.message_id is not null or (p.at, p.n) < (s.at, s.n))))::int as orphans
    from staged_messages s where s.conversation = ${conversation}`.execute(db)
  return rows[0] ?? { left: 0, there: 0, orphans: 0 }
}

/**
 * Gives the next messages of a conversation their ids, in the order of their moments.
 * @returns the ids, in that order
 */
export async function numberNext(db: OneConnection, conversation: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with page as (
        select n, at from staged_messages where conversation = ${conversation} and message_id is null
        order by at, n limit ${PAGE}),
      numbered as (select n, nextval('message_ids') as id from (select n from page order by at, n) ordered)
    update staged_messages s set message_id = numbered.id from numbered where s.n = numbered.n
    returning s.message_id as id`.execute(db)
  return rows.map(({ id }) => id).sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1))
}

/**
 * Writes the messages that have got these ids: with what they answer, whom they mention and how others reacted. No event
 * tells of them. `atrium.importing` is on.
 */
export async function writeNumbered(
  db: OneConnection,
  {
    conversation,
    conversationId,
    organization,
  }: { conversation: number; conversationId: string; organization: OrganizationId },
  ids: readonly string[],
): Promise<void> {
  await sql`
    insert into messages (message_id, conversation_id, org_id, sender_id, guest_id, guest_name, content, parent_message_id,
      client_message_id, reply_count, is_edited, is_deleted, created_at, updated_at, edited_at)
    select s.message_id, ${conversationId}, ${organization}, s.sender, s.guest, s.guest_name, s.content, p.message_id,
      s.key, 0, s.is_edited, false, placed.at, placed.at, case when s.is_edited then placed.at end
    from staged_messages s
      -- moments go up within a conversation, as ids do
      cross join lateral (select date_trunc('milliseconds', greatest(s.at, (select m.created_at from messages m
        where m.conversation_id = ${conversationId} order by m.message_id desc limit 1))) as at) placed
      left join staged_messages p on p.conversation = s.conversation and p.key = s.parent and p.message_id < s.message_id
    where s.conversation = ${conversation} and s.message_id = any(${ids}::bigint[])
    order by s.message_id`.execute(db)
  await sql`
    update messages m set reply_count = m.reply_count + answered.count
    from (select r.parent_message_id as id, count(*) as count from messages r
      where r.message_id = any(${ids}::bigint[]) and r.parent_message_id is not null group by 1) answered
    where m.message_id = answered.id`.execute(db)
  await sql`
    select note_mentions(m) from messages m
    where m.message_id = any(${ids}::bigint[]) and strpos(m.content, '<@') > 0`.execute(db)
  await sql`
    insert into reactions (message_id, conversation_id, org_id, user_id, emoji, created_at)
    select s.message_id, ${conversationId}, ${organization}, one."user", one.emoji, s.at
    from staged_messages s
      cross join lateral jsonb_to_recordset(s.reactions) as one ("user" bigint, emoji text)
    where s.conversation = ${conversation} and s.message_id = any(${ids}::bigint[])
    on conflict do nothing`.execute(db)
}
