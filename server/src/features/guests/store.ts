import { type ColumnType, type ExpressionBuilder, type Generated, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../platform/database/database.ts'
import { type OrganizationId, type RoomId, trusted, type UserId } from '../../platform/ids.ts'
import type { GuestState } from './rules.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    guests: {
      id: string
      organization_id: string
      room_id: string
      /** `jti` of the link. */
      invite_id: string
      /** SHA-256 of the cookie that keeps a browser's place; null: it has gone on to another row. */
      cookie_hash: Buffer | null
      name: string
      invited_by: string
      allow_all: boolean
      allowed_admins: ColumnType<string[], readonly string[], never>
      /** Of who waits: the end of their link. Of who is admitted: far enough, and moved on while they are seen. */
      expires_at: Date
      state: GuestState
      since: Date
      decided_by: Generated<string | null>
      decided_at: Generated<Date | null>
      denials: number
      ask_again_at: Generated<Date | null>
      removed_at: Generated<Date | null>
      /** X25519 as base64url, of their page; null: it gave none. */
      public_key: Generated<string | null>
      connection: Generated<string | null>
      absent_at: Date
      /** Of nodes of the release before; nothing reads it here. */
      enforce_at: Generated<Date | null>
      created_at: Date
    }
  }
}

/** A guest as stored. */
export interface Guest {
  /** The UUID in `guest:<uuid>`. */
  id: string
  organization: OrganizationId
  room: RoomId
  inviteId: string
  name: string
  invitedBy: UserId
  allowAll: boolean
  /** Empty: no admin is named. */
  allowedAdmins: readonly UserId[]
  /** Of who waits: the end of their link. Of who is admitted: far enough, and moved on while they are seen. */
  expiresAt: Date
  state: GuestState
  since: Date
  denials: number
  askAgainAt: Date | null
  /** Put out after having been admitted: not heard again with this link. */
  removedAt: Date | null
  /** X25519 as base64url, of their page; null: it gave none. */
  publicKey: string | null
}

export const COLUMNS = [
  'id',
  'organization_id',
  'room_id',
  'invite_id',
  'name',
  'invited_by',
  'allow_all',
  'allowed_admins',
  'expires_at',
  'state',
  'since',
  'denials',
  'ask_again_at',
  'removed_at',
  'public_key',
] as const

export interface GuestRow {
  id: string
  organization_id: string
  room_id: string
  invite_id: string
  name: string
  invited_by: string
  allow_all: boolean
  allowed_admins: string[]
  expires_at: Date
  state: GuestState
  since: Date
  denials: number
  ask_again_at: Date | null
  removed_at: Date | null
  public_key: string | null
}

/** One guest of an organization's room. */
export async function readGuest(
  db: Db,
  organization: OrganizationId,
  room: RoomId,
  id: string,
): Promise<Guest | undefined> {
  const row = await db
    .selectFrom('guests')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('room_id', '=', room)
    .where('organization_id', '=', organization)
    .executeTakeFirst()
  return row && guestOf(row)
}

/** The guest of the browser that has this cookie of this link, locked until the transaction ends. */
export async function lockGuestOfCookie(
  tx: Tx,
  inviteId: string,
  cookieHash: Buffer,
): Promise<Guest | undefined> {
  const row = await ofCookie(tx, inviteId, cookieHash).forUpdate().executeTakeFirst()
  return row && guestOf(row)
}

function ofCookie(db: Db, inviteId: string, cookieHash: Buffer) {
  return db
    .selectFrom('guests')
    .select(COLUMNS)
    .where('cookie_hash', '=', cookieHash)
    .where('invite_id', '=', inviteId)
}

/** The guest of the browser that has this cookie of this link. */
export async function readGuestOfCookie(
  db: Db,
  inviteId: string,
  cookieHash: Buffer,
): Promise<Guest | undefined> {
  const row = await ofCookie(db, inviteId, cookieHash).executeTakeFirst()
  return row && guestOf(row)
}

/** @returns false where the browser has got a row in the meantime */
export async function insertGuest(
  tx: Tx,
  guest: Omit<Guest, 'state' | 'since' | 'askAgainAt' | 'removedAt'> & { cookieHash: Buffer; absentAt: Date },
  now: Date,
): Promise<boolean> {
  const row = await tx
    .insertInto('guests')
    .values({
      id: guest.id,
      organization_id: guest.organization,
      room_id: guest.room,
      invite_id: guest.inviteId,
      cookie_hash: guest.cookieHash,
      name: guest.name,
      invited_by: guest.invitedBy,
      allow_all: guest.allowAll,
      allowed_admins: guest.allowedAdmins,
      expires_at: guest.expiresAt,
      state: 'waiting',
      since: now,
      denials: guest.denials,
      absent_at: guest.absentAt,
      public_key: guest.publicKey,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('cookie_hash').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The browser of a guest goes on to another row. */
export async function releaseCookie(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('guests').set({ cookie_hash: null }).where('id', '=', id).execute()
}

/**
 * A guest who is there already has asked again: what they are called while they wait, when to look for them, and until
 * when they have their place. Who was admitted is looked for as before: to ask again is not to be there.
 */
export async function renewGuest(
  tx: Tx,
  { id, name, expiresAt, publicKey }: Pick<Guest, 'id' | 'name' | 'expiresAt' | 'publicKey'>,
  absentAt: Date,
): Promise<void> {
  await tx
    .updateTable('guests')
    .set({
      name,
      absent_at: sql`case when state = 'waiting' then ${absentAt} else absent_at end`,
      expires_at: expiresAt,
      public_key: publicKey,
    })
    .where('id', '=', id)
    .execute()
}

/** How many wait at most: before one room of an organization, and with one link. */
export async function countWaitingMost(
  db: Db,
  organization: OrganizationId,
): Promise<{ ofRoom: number; ofInvite: number }> {
  const rows = await db
    .selectFrom('guests')
    .select(({ fn }) => ['room_id as room', 'invite_id as invite', fn.countAll<string>().as('count')])
    .where('organization_id', '=', organization)
    .where('state', '=', 'waiting')
    .groupBy(['room_id', 'invite_id'])
    .execute()
  const ofRooms = new Map<string, number>()
  for (const { room, count } of rows) ofRooms.set(room, (ofRooms.get(room) ?? 0) + Number(count))
  return {
    ofRoom: Math.max(0, ...ofRooms.values()),
    ofInvite: Math.max(0, ...rows.map(({ count }) => Number(count))),
  }
}

/**
 * How many wait before a room, and how many of them with one link. Until the transaction ends other counts wait: of
 * many at once, none finds the same place free.
 */
export async function countWaiting(
  tx: Tx,
  room: RoomId,
  inviteId: string,
): Promise<{ ofRoom: number; ofInvite: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`guests before ${room}`}, 0))`.execute(tx)
  const { ofRoom, ofInvite } = await tx
    .selectFrom('guests')
    .select(({ fn }) => [
      fn.countAll<string>().as('ofRoom'),
      fn.countAll<string>().filterWhere('invite_id', '=', inviteId).as('ofInvite'),
    ])
    .where('room_id', '=', room)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return { ofRoom: Number(ofRoom), ofInvite: Number(ofInvite) }
}

/** What there is to see of a room's guests: those who wait and are in it, and the others of late. */
export async function listGuestsOfRoom(
  db: Db,
  organization: OrganizationId,
  room: RoomId,
  { limit, ...shown }: { limit: number } & ({ others: Date } | { admittedAt: Date }),
): Promise<Guest[]> {
  const isShown = (where: ExpressionBuilder<Tables, 'guests'>) =>
    'others' in shown
      ? where.or([where('state', 'in', ['waiting', 'admitted']), where('since', '>', shown.others)])
      : where.and([where('state', '=', 'admitted'), where('expires_at', '>', shown.admittedAt)])
  const rows = await db
    .selectFrom('guests')
    .select(COLUMNS)
    .where('room_id', '=', room)
    .where('organization_id', '=', organization)
    .where(isShown)
    .orderBy(sql`array_position(array['waiting', 'admitted']::text[], state) nulls last`)
    .orderBy('since')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(guestOf)
}

/** Guests who wait before any room of an organization, the longest first. */
export async function listWaiting(
  db: Db,
  organization: OrganizationId,
  { now, limit }: { now: Date; limit: number },
): Promise<Guest[]> {
  const rows = await db
    .selectFrom('guests')
    .select(COLUMNS)
    .where('organization_id', '=', organization)
    // as the index has it: a parameter could be another state
    .where(sql<boolean>`state = 'waiting'`)
    .where('expires_at', '>', now)
    .orderBy('since')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(guestOf)
}

/** Ids of the guests of a room who are admitted. */
export async function readAdmitted(db: Db, room: RoomId): Promise<string[]> {
  const rows = await db
    .selectFrom('guests')
    .select('id')
    .where('room_id', '=', room)
    .where('state', '=', 'admitted')
    .execute()
  return rows.map((row) => row.id)
}

export function guestOf(row: GuestRow): Guest {
  return {
    id: row.id,
    organization: trusted.organizationId(row.organization_id),
    room: trusted.roomId(row.room_id),
    inviteId: row.invite_id,
    name: row.name,
    invitedBy: trusted.userId(row.invited_by),
    allowAll: row.allow_all,
    allowedAdmins: row.allowed_admins.map(trusted.userId),
    expiresAt: row.expires_at,
    state: row.state,
    since: row.since,
    denials: row.denials,
    askAgainAt: row.ask_again_at,
    removedAt: row.removed_at,
    publicKey: row.public_key,
  }
}
