import type { ChosenStatus } from '@atrium/contract'
import { type Generated, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type OrganizationId, trusted, type UserId } from '../../platform/ids.ts'
import { ABSENT, type Presence, type Status } from './rules.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    presence: {
      organization_id: string
      user_id: string
      status: Status
      manual_status: ChosenStatus | null
      note: string | null
      choice_ends_at: Date | null
      in_meeting: Generated<boolean>
      /** Written by a trigger. */
      revision: Generated<string>
      confirmed_at: Date
    }
    presence_revisions: {
      organization_id: string
      revision: string
      epoch: Generated<string>
    }
    presence_poll: {
      only_row: Generated<boolean>
      generation: string | null
      quiet_until: Date | null
      /** Of nodes of the release before; nothing reads it here. */
      doubts: Generated<string>
    }
  }
}

/** A presence as it stands in the table. */
export interface StoredPresence extends Presence {
  /** When the person last showed by a request of their own that they are there. */
  confirmedAt: Date
}

const columns = [
  'user_id',
  'status',
  'manual_status',
  'note',
  'choice_ends_at',
  'in_meeting',
  'confirmed_at',
] as const

/**
 * The presences of people of an organization, locked until the transaction ends: their changes, and events of them, come
 * one after another. Several are locked in the order of their ids, so that no two transactions wait for each other.
 */
export async function lockPresences(
  tx: Tx,
  organization: OrganizationId,
  users: readonly UserId[],
  now: Date,
): Promise<Map<UserId, StoredPresence>> {
  const found = await tryLock(tx, organization, users)
  const missing = users.filter((user) => !found.has(user))
  if (missing.length === 0) return found
  const inOrder = missing.toSorted((one, other) => Number(BigInt(one) - BigInt(other)))
  await tx
    .insertInto('presence')
    .values(
      inOrder.map((user) => ({
        organization_id: organization,
        user_id: user,
        status: ABSENT.status,
        manual_status: null,
        confirmed_at: now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // a faster request may have changed them already; no other deletes them while they are members
  for (const [user, stored] of await tryLock(tx, organization, missing)) found.set(user, stored)
  for (const user of missing) if (!found.has(user)) found.set(user, { ...ABSENT, confirmedAt: now })
  return found
}

async function tryLock(
  tx: Tx,
  organization: OrganizationId,
  users: readonly UserId[],
): Promise<Map<UserId, StoredPresence>> {
  const rows = await tx
    .selectFrom('presence')
    .select(columns)
    .where('organization_id', '=', organization)
    .where(({ eb, fn, val }) => eb('user_id', '=', fn.any(val([...users]))))
    .orderBy('user_id')
    .forUpdate()
    .execute()
  return new Map(
    rows.map((row) => [
      trusted.userId(row.user_id),
      {
        status: row.status,
        manual: row.manual_status,
        note: row.note,
        until: row.choice_ends_at,
        inMeeting: row.in_meeting,
        confirmedAt: row.confirmed_at,
      },
    ]),
  )
}

/** Writes locked presences. Answers the revisions of their statuses. */
export async function writePresences(
  tx: Tx,
  organization: OrganizationId,
  presences: ReadonlyMap<UserId, StoredPresence>,
): Promise<Map<UserId, string>> {
  const updates = [...presences].map(([user, presence]) => ({ user, ...presence }))
  const { rows } = await sql<{ user: string; revision: string }>`
    update presence set status = updates.status, manual_status = updates.manual, confirmed_at = updates."confirmedAt",
      note = updates.note, choice_ends_at = updates.until, in_meeting = updates."inMeeting"
    from jsonb_to_recordset(${JSON.stringify(updates)}::jsonb) as updates ("user" bigint, status text, manual text,
      "confirmedAt" timestamptz, note text, until timestamptz, "inMeeting" boolean)
    where organization_id = ${organization} and user_id = updates."user"
    returning user_id as "user", revision`.execute(tx)
  return new Map(rows.map(({ user, revision }) => [trusted.userId(user), revision]))
}

export async function deletePresences(
  tx: Tx,
  organization: OrganizationId,
  users: readonly UserId[],
): Promise<void> {
  await tx
    .deleteFrom('presence')
    .where('organization_id', '=', organization)
    .where(({ eb, fn, val }) => eb('user_id', '=', fn.any(val([...users]))))
    .execute()
}

/** What tells the revisions of this database from those of another one that the same broker may remember. */
export async function readEpoch(db: Db, organization: OrganizationId): Promise<string | undefined> {
  const row = await db
    .selectFrom('presence_revisions')
    .select('epoch')
    .where('organization_id', '=', organization)
    .executeTakeFirst()
  return row?.epoch
}

/** The revision of each organization that has one; the others are at 0. */
export async function readRevisions(
  db: Db,
  organizations: readonly OrganizationId[],
): Promise<Map<OrganizationId, bigint>> {
  const rows = await db
    .selectFrom('presence_revisions')
    .select(['organization_id', 'revision'])
    .where(({ eb, fn, val }) => eb('organization_id', '=', fn.any(val([...organizations]))))
    .execute()
  return new Map(rows.map((row) => [trusted.organizationId(row.organization_id), BigInt(row.revision)]))
}

/** What is stored of some people, but for who has never been there. */
export async function readPresences(
  db: Db,
  organization: OrganizationId,
  users: readonly UserId[],
): Promise<Map<UserId, Omit<Presence, 'inMeeting'>>> {
  const rows = await db
    .selectFrom('presence')
    .select(['user_id', 'status', 'manual_status', 'note', 'choice_ends_at'])
    .where('organization_id', '=', organization)
    .where(({ eb, fn, val }) => eb('user_id', '=', fn.any(val([...users]))))
    .execute()
  return new Map(
    rows.map((row) => [
      trusted.userId(row.user_id),
      { status: row.status, manual: row.manual_status, note: row.note, until: row.choice_ends_at },
    ]),
  )
}

/** As the index `presence_present` has it: PostgreSQL finds no index by what comes as a parameter. */
export const isPresent = sql<boolean>`status <> 'offline'`

/** The true statuses of those who are not offline, or of some of them. */
export async function readStatuses(
  db: Db,
  organization: OrganizationId,
  users?: readonly UserId[],
): Promise<Map<UserId, Status>> {
  let query = db
    .selectFrom('presence')
    .select(['user_id', 'status'])
    .where('organization_id', '=', organization)
    .where(isPresent)
  if (users) query = query.where(({ eb, fn, val }) => eb('user_id', '=', fn.any(val([...users]))))
  const rows = await query.execute()
  return new Map(rows.map((row) => [trusted.userId(row.user_id), row.status]))
}
