import type { Reply } from '@atrium/contract'
import { type RawBuilder, sql } from 'kysely'
import { namesOfUsers } from '../../directory/users.ts'
import type { Db } from '../../platform/database/database.ts'
import { type OrganizationId, parseRoomId, type RoomId } from '../../platform/ids.ts'
import { guestsInside, peopleInside, recordedRooms } from '../media-events/reads.ts'
import { noSuchRoom } from './rules.ts'

export type ListedRoom = Reply<'getRoom'>['body']['room']

export interface RoomViewNeeds {
  db: Db
  imageBaseUrl: string
}

/**
 * The rooms of an organization in its order, or one of them, with what goes on in them: each as the JSON of a `ListedRoom`, in
 * the column `room`. PostgreSQL writes it: made here, of a row for each of hundreds of people, it cost the office three
 * times as much.
 */
function roomViews(
  imageBaseUrl: string,
  organization: OrganizationId,
  room?: RoomId,
): RawBuilder<{ room: ListedRoom }> {
  const people = sql`
    select room_id, json_agg(person order by since, user_id) as people from (
      select inside.room_id, inside.user_id, inside.since, (select row_to_json(person) from (select
        inside.user_id::text as "userId", known.identity_user_id as "presenceUserId",
        known.display_name as "displayName", known.avatar_url as "avatarUrl",
        ${isoTime(sql`inside.since`)} as since, inside.microphone, inside.camera, inside.screen) person) as person
      from (${peopleInside(organization, room)}) inside
        join (${namesOfUsers(imageBaseUrl)}) known on known.id = inside.user_id) people
    group by room_id`
  return sql`
    select row_to_json(room) as room from (
      select rooms.id, rooms.name, rooms.metadata, rooms.kind, rooms.seats,
        rooms.position, rooms.locked_at is not null as locked, ${isoTime(sql`rooms.created_at`)} as "createdAt",
        coalesce(inside.people, '[]') as people, coalesce(invited.guests, 0) as guests,
        recorded.room_id is not null as recording
      from rooms left join (${people}) inside on inside.room_id = rooms.id
        left join (${guestsInside(organization, room)}) invited on invited.room_id = rooms.id
        left join (${recordedRooms(organization, room)}) recorded on recorded.room_id = rooms.id
      where rooms.organization_id = ${organization} and rooms.deleted_at is null
        ${room === undefined ? sql`` : sql`and rooms.id = ${room}`}
      order by rooms.position, rooms.created_at, rooms.id) room`
}

/** All of them as the text of a JSON array. */
export async function writeRoomViews(
  { db, imageBaseUrl }: RoomViewNeeds,
  organization: OrganizationId,
): Promise<string> {
  const { rows } = await sql<{ room: string }>`
    select room::text from (${roomViews(imageBaseUrl, organization)}) rooms`.execute(db)
  return `[${rows.map(({ room }) => room).join(',')}]`
}

/** One room with what goes on in it. @throws Refusal not-found */
export async function readRoomView(
  { db, imageBaseUrl }: RoomViewNeeds,
  organization: OrganizationId,
  roomId: string,
): Promise<ListedRoom> {
  const id = parseRoomId(roomId)
  const found = id && (await roomViews(imageBaseUrl, organization, id).execute(db))
  const [row] = found?.rows ?? []
  if (!row) throw noSuchRoom()
  return row.room
}

/** A column of the type timestamptz as `Date.toISOString` writes it. */
function isoTime(moment: RawBuilder<unknown>): RawBuilder<string> {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
