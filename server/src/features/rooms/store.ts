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
      sealed: Generated<boolean>
      agent_dispatch: Generated<AgentDispatch>
      /** No token of the room lives longer; null: it never had one. */
      token_until: Generated<Date | null>
      /** Of a desk. */
      owner_id: Generated<string | null>
      /** Of a temporary room: the two people that it is for, the lower id first. */
      first_person_id: Generated<string | null>
      second_person_id: Generated<string | null>
      wanted_until: Generated<Date | null>
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

/** Whether bots come into a room. */
export type AgentDispatch = Reply<'getRoom'>['body']['room']['agentDispatch']

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
  /** Encrypted from end to end. */
  sealed: boolean
  agentDispatch: AgentDispatch
  /** Of a desk; null: the room is none. */
  owner: UserId | null
  /** For two people, and gone when both have left. */
  temporary: boolean
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
  'sealed',
  'agent_dispatch',
  'owner_id',
  'first_person_id',
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
  sealed: boolean
  agent_dispatch: AgentDispatch
  owner_id: string | null
  first_person_id: string | null
  created_at: Date
}

/** Where a room comes last in its organization. */
export async function lastPosition(db: Db, organization: OrganizationId): Promise<number> {
  const { last } = await db
    .selectFrom('rooms')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('organization_id', '=', organization)
    .where('deleted_at', 'is', null)
    .where('owner_id', 'is', null)
    .where('first_person_id', 'is', null)
    .executeTakeFirstOrThrow()
  return Math.min(POSITION_MAX, (last ?? 0) + STEP)
}

/**
 * @param createdBy null where a program made it
 * @returns false where the organization has a room of that name
 */
export async function insertRoom(
  db: Db,
  room: Omit<Room, 'createdAt' | 'lockedAt' | 'agentDispatch' | 'owner' | 'temporary'>,
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
      sealed: room.sealed,
      created_by: createdBy,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The rooms of an organization that are not deleted; temporary ones are not the organization's. */
function roomsOf(db: Db, organization: OrganizationId) {
  return existingRooms(db, organization).where('first_person_id', 'is', null)
}

function existingRooms(db: Db, organization: OrganizationId) {
  return db
    .selectFrom('rooms')
    .select(COLUMNS)
    .where('organization_id', '=', organization)
    .where('deleted_at', 'is', null)
}

/** As `readRoom`, and a temporary room where the person is one of the two. */
export async function readRoomFor(
  db: Db,
  organization: OrganizationId,
  { id, person }: { id: RoomId; person: UserId },
): Promise<Room | undefined> {
  const row = await existingRooms(db, organization)
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('first_person_id', 'is', null),
        where('first_person_id', '=', person),
        where('second_person_id', '=', person),
      ]),
    )
    .executeTakeFirst()
  return row && roomOf(row)
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
    .where('owner_id', 'is', null)
    .where('first_person_id', 'is', null)
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
  const { id, organization, name, metadata, kind, seats, position, sealed, agentDispatch } = room
  await tx
    .updateTable('rooms')
    .set({
      ...{ name, metadata: JSON.stringify(metadata), kind, seats, position, sealed },
      agent_dispatch: agentDispatch,
    })
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

/** Whether a room, temporary ones included, has not been deleted. */
export async function isThere(db: Db, organization: OrganizationId, id: RoomId): Promise<boolean> {
  return (await existingRooms(db, organization).where('id', '=', id).executeTakeFirst()) !== undefined
}

/** A room among all organizations, deleted or not. */
export async function readWhoseRoom(
  db: Db,
  id: RoomId,
): Promise<
  Pick<Room, 'organization' | 'lockedAt' | 'sealed' | 'agentDispatch' | 'owner' | 'temporary'> | undefined
> {
  const row = await db.selectFrom('rooms').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return row && roomOf(row)
}

/** Where it is told what happens in a room: to its organization, of a temporary room to the two alone. */
export async function channelsOfRoom(db: Db, id: RoomId): Promise<string[]> {
  const { rows } = await sql<{
    channels: string[] | null
  }>`select channels_of_room(${id}) as channels`.execute(db)
  return rows[0]?.channels ?? []
}

/** Where it is told how people are in rooms of whichever organizations, and whether it is kept who speaks there. */
export async function readRoomsToTell(
  db: Db,
  ids: readonly string[],
): Promise<Map<RoomId, { channels: string[]; isPrivate: boolean }>> {
  const { rows } = await sql<{ id: string; channels: string[]; isPrivate: boolean }>`
    select id, channels_of_room(id) as channels, locked_at is not null or first_person_id is not null or sealed as "isPrivate"
    from rooms where id = any(${ids}::uuid[]) and deleted_at is null`.execute(db)
  return new Map(rows.map(({ id, ...told }) => [trusted.roomId(id), told]))
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
    sealed: row.sealed,
    agentDispatch: row.agent_dispatch,
    owner: row.owner_id === null ? null : trusted.userId(row.owner_id),
    temporary: row.first_person_id !== null,
    createdAt: row.created_at,
  }
}
