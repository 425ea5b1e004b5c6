import { sql } from 'kysely'
import type { OrganizationId } from '../../../platform/ids.ts'
import type { OneConnection } from './staged-messages.ts'

/** A conversation of an export, with those of its members who are members here. */
export interface ConversationToImport {
  /** A UUID that the same export makes again. */
  key: string
  title: string
  /** `User.id`s. */
  people: readonly string[]
  isDirect: boolean
}

/** The conversation of an earlier import of it. */
export async function findImported(
  db: OneConnection,
  organization: OrganizationId,
  key: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select conversation_id as id from conversations where org_id = ${organization} and import_key = ${key}`.execute(
    db,
  )
  return rows[0]?.id
}

/**
 * Makes it, or takes the one of the two where nothing is written in it. Of two who have written here already the history is
 * a group: what is older cannot come before it.
 */
export async function makeImported(
  db: OneConnection,
  organization: OrganizationId,
  { key, title, people, isDirect }: ConversationToImport,
  begun: Date,
): Promise<string> {
  if (isDirect && people.length === 2) {
    const taken = await takeDirect(db, organization, { key, people, begun })
    if (taken !== undefined) return taken
  }
  const { rows } = await sql<{ id: string }>`
    insert into conversations (org_id, type, title, import_key, created_at, updated_at)
    values (${organization}, 'GROUP', ${title === '' ? null : title}, ${key}, ${begun}, ${begun})
    returning conversation_id as id`.execute(db)
  const id = rows[0]?.id ?? ''
  await addMembers(db, organization, id, people)
  return id
}

async function takeDirect(
  db: OneConnection,
  organization: OrganizationId,
  { key, people, begun }: Pick<ConversationToImport, 'key' | 'people'> & { begun: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into conversations as c (org_id, low_user_id, high_user_id, import_key, created_at, updated_at)
    select ${organization}, min(one), max(one), ${key}, ${begun}, ${begun} from unnest(${people}::bigint[]) one
    on conflict (org_id, low_user_id, high_user_id) do update set import_key = excluded.import_key
      where c.import_key is null and not exists (select from messages m where m.conversation_id = c.conversation_id)
    returning conversation_id as id`.execute(db)
  const id = rows[0]?.id
  if (id !== undefined) await addMembers(db, organization, id, people)
  return id
}

/** @returns those who were not in it */
export async function addMembers(
  db: OneConnection,
  organization: OrganizationId,
  conversation: string,
  people: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into conversation_members (conversation_id, user_id, org_id, joined_at)
    select ${conversation}, one, ${organization}, clock_timestamp() from unnest(${people}::bigint[]) one
    on conflict do nothing returning user_id as id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Holds it until the commit. @returns whether something is written in it since a message: 0, since ever */
export async function goesOn(db: OneConnection, conversation: string, after: string): Promise<boolean> {
  await sql`select from conversations where conversation_id = ${conversation} for no key update`.execute(db)
  const { rows } = await sql<{ does: boolean }>`
    select exists (select from messages where conversation_id = ${conversation} and message_id > ${after}) as does`.execute(
    db,
  )
  return rows[0]?.does === true
}

/** The last message of an earlier import of it; 0: none. */
export async function lastImported(db: OneConnection, conversation: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(max(message_id), 0) as id from staged_messages where conversation = ${conversation}`.execute(
    db,
  )
  return rows[0]?.id ?? '0'
}

/** It moved with its last message, and what is imported is read. */
export async function settleImported(db: OneConnection, conversation: string): Promise<void> {
  await sql`
    update conversations c set updated_at = m.created_at
    from messages m
    where c.conversation_id = ${conversation} and m.message_id = (
      select max(last.message_id) from messages last where last.conversation_id = ${conversation})`.execute(
    db,
  )
  await sql`
    update conversation_members set last_read_message_id = (
      select max(m.message_id) from messages m where m.conversation_id = ${conversation})
    where conversation_id = ${conversation}`.execute(db)
}
