import type { Reply } from '@atrium/contract'
import { type ColumnType, type Generated, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import { type OrganizationId, type RoomId, trusted, type UserId } from '../../platform/ids.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    rooms: {
      id: string
      organization_id: string
      name: string
      metadata: ColumnType<Record<string, unknown>, string, string>
      kind: Generated<RoomKind>
      seats: Generated<number | null>
      position: Generated<number>
      locked_at: Generated<Date | null>
      created_by: string | null
      created_at: Date
      /** Of nodes of the release before; nothing reads it here. */
      close_at: Generated<Date | null>
      /** Its name is its id then: the former one is free again. */
      deleted_at: Generated<Date | null>
    }
    room_departures: {
      organization_id: string
      user_id: string
      until: Date
      /** Of nodes of the release before; nothing reads it here. */
      next_attempt_at: Generated<Date>
    }
  }
}

/** What a room is for. */
export type RoomKind = Reply<'getRoom'>['body']['room']['kind']

/** A room as its organization made it, live or not. */
export interface Room {
  id: RoomId
  organization: OrganizationId
  name: string
  metadata: Record<string, unknown>
  kind: RoomKind
  /** Shown, not enforced; null where none were given. */
  seats: number | null
  /** Lists are ordered by it, then by age, then by id. */
  position: number
  /** Null: it is open. */
  lockedAt: Date | null
  createdAt: Date
}

const COLUMNS = [
  'id',
  'organization_id',
  'name',
  'metadata',
  'kind',
  'seats',
  'position',
  'created_at',
  'locked_at',
] as const
/** Between a room and the one that comes after it, so that others find a place there. */
const STEP = 1_000
const POSITION_MAX = 1_000_000

interface RoomRow {
  id: string
  organization_id: string
  name: string
  metadata: Record<string, unknown>
  kind: RoomKind
  seats: number | null
  position: number
  locked_at: Date | null
  created_at: Date
}

/** Where a room comes last in its organization. */
export async function lastPosition(db: Db, organization: OrganizationId): Promise<number> {
  const { last } = await db
    .selectFrom('rooms')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('organization_id', '=', organization)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Math.min(POSITION_MAX, (last ?? 0) + STEP)
}

/**
 * @param createdBy null where a program made it
 * @returns false where the organization has a room of that name
 */
export async function insertRoom(
  db: Db,
  room: Omit<Room, 'createdAt' | 'lockedAt'>,
  createdBy: UserId | null,
  now: Date,
): Promise<boolean> {
  const row = await db
    .insertInto('rooms')
    .values({
      id: room.id,
      organization_id: room.organization,
      name: room.name,
      metadata: JSON.stringify(room.metadata),
      kind: room.kind,
      seats: room.seats,
      position: room.position,
      created_by: createdBy,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The rooms of an organization that are not deleted. */
function roomsOf(db: Db, organization: OrganizationId) {
  return db
    .selectFrom('rooms')
    .select(COLUMNS)
    .where('organization_id', '=', organization)
    .where('deleted_at', 'is', null)
}

export async function readRoom(db: Db, organization: OrganizationId, id: RoomId): Promise<Room | undefined> {
  const row = await roomsOf(db, organization).where('id', '=', id).executeTakeFirst()
  return row && roomOf(row)
}

export async function readRoomByName(
  db: Db,
  organization: OrganizationId,
  name: string,
): Promise<Room | undefined> {
  const row = await roomsOf(db, organization).where('name', '=', name).executeTakeFirst()
  return row && roomOf(row)
}

export async function countRooms(db: Db, organization: OrganizationId): Promise<number> {
  const { count } = await db
    .selectFrom('rooms')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('organization_id', '=', organization)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The same as `readRoom`, locked until the transaction ends. */
export async function lockRoom(tx: Tx, organization: OrganizationId, id: RoomId): Promise<Room | undefined> {
  const row = await roomsOf(tx, organization).where('id', '=', id).forUpdate().executeTakeFirst()
  return row && roomOf(row)
}

/** Until the transaction ends the room is not deleted. @returns false where it has been */
export async function holdRoom(tx: Tx, organization: OrganizationId, id: RoomId): Promise<boolean> {
  const row = await roomsOf(tx, organization).where('id', '=', id).forKeyShare().executeTakeFirst()
  return row !== undefined
}

/** @throws where another room of the organization has the name: `isNameTaken` */
export async function changeRoom(tx: Tx, room: Room): Promise<void> {
  const { id, organization, name, metadata, kind, seats, position } = room
  await tx
    .updateTable('rooms')
    .set({ name, metadata: JSON.stringify(metadata), kind, seats, position })
    .where('id', '=', id)
    .where('organization_id', '=', organization)
    .execute()
}

export function isNameTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'rooms_organization_id_name_key')
}

/**
 * Hides a room for good. Its row stays for what the media server may still tell of it and for its recordings; its name
 * is free again, as no room is called by a UUID. Triggers end its guests and
 * have it closed at the media server.
 */
export async function markDeleted(
  tx: Tx,
  organization: OrganizationId,
  id: RoomId,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('rooms')
    .set({ name: id, metadata: '{}', deleted_at: now })
    .where('id', '=', id)
    .where('organization_id', '=', organization)
    .execute()
}

/** Whose a room is, among all organizations: for what the media server tells of it. */
export async function readOrganizationIdOfRoom(db: Db, id: RoomId): Promise<OrganizationId | undefined> {
  return (await readWhoseRoom(db, id))?.organization
}

/** Whose a room is, among all organizations, and since when it is locked. */
export async function readWhoseRoom(
  db: Db,
  id: RoomId,
): Promise<Pick<Room, 'organization' | 'lockedAt'> | undefined> {
  const row = await db
    .selectFrom('rooms')
    .select(['organization_id', 'locked_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { organization: trusted.organizationId(row.organization_id), lockedAt: row.locked_at }
}

/** Names among all organizations: for the stand-in of the media server, which knows ids alone. */
export async function readRoomNames(db: Db, ids: readonly RoomId[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('rooms')
    .select(['id', 'name'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Which of these rooms are the organization's. */
export async function roomsAmong(
  db: Db,
  organization: OrganizationId,
  ids: readonly RoomId[],
): Promise<RoomId[]> {
  const rows = await db
    .selectFrom('rooms')
    .select('id')
    .where('organization_id', '=', organization)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  return rows.map((row) => trusted.roomId(row.id))
}

function roomOf(row: RoomRow): Room {
  return {
    id: trusted.roomId(row.id),
    organization: trusted.organizationId(row.organization_id),
    name: row.name,
    metadata: row.metadata,
    kind: row.kind,
    seats: row.seats,
    position: row.position,
    lockedAt: row.locked_at,
    createdAt: row.created_at,
  }
}
