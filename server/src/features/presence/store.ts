import type { ChosenStatus } from '@atrium/contract'
import type { Generated } from 'kysely'
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

const columns = ['status', 'manual_status', 'note', 'choice_ends_at', 'in_meeting', 'confirmed_at'] as const

/** Somebody's presence, locked until the transaction ends: their changes, and events of them, come one after another. */
export async function lockPresence(
  tx: Tx,
  organization: OrganizationId,
  user: UserId,
  now: Date,
): Promise<StoredPresence> {
  const locked = await tryLock(tx, organization, user)
  if (locked) return locked
  await tx
    .insertInto('presence')
    .values({
      organization_id: organization,
      user_id: user,
      status: ABSENT.status,
      manual_status: null,
      confirmed_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // whoever was faster may have changed it already; nobody else deletes it while they are a member
  return (await tryLock(tx, organization, user)) ?? { ...ABSENT, confirmedAt: now }
}

async function tryLock(
  tx: Tx,
  organization: OrganizationId,
  user: UserId,
): Promise<StoredPresence | undefined> {
  const row = await tx
    .selectFrom('presence')
    .select(columns)
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .forUpdate()
    .executeTakeFirst()
  return (
    row && {
      ...{ status: row.status, manual: row.manual_status, note: row.note, until: row.choice_ends_at },
      ...{ inMeeting: row.in_meeting, confirmedAt: row.confirmed_at },
    }
  )
}

/** Writes a locked presence. Answers the revision of its status. */
export async function writePresence(
  tx: Tx,
  organization: OrganizationId,
  user: UserId,
  presence: StoredPresence,
): Promise<string> {
  const row = await tx
    .updateTable('presence')
    .set({
      ...{ status: presence.status, manual_status: presence.manual, confirmed_at: presence.confirmedAt },
      ...{ note: presence.note, choice_ends_at: presence.until, in_meeting: presence.inMeeting },
    })
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .returning('revision')
    .executeTakeFirstOrThrow()
  return row.revision
}

export async function deletePresence(tx: Tx, organization: OrganizationId, user: UserId): Promise<void> {
  await tx
    .deleteFrom('presence')
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
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
    .where('status', '<>', 'offline')
  if (users) query = query.where(({ eb, fn, val }) => eb('user_id', '=', fn.any(val([...users]))))
  const rows = await query.execute()
  return new Map(rows.map((row) => [trusted.userId(row.user_id), row.status]))
}
