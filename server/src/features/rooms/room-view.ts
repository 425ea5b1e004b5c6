import type { Reply } from '@atrium/contract'
import { type RawBuilder, sql } from 'kysely'
import { namesOfUsers } from '../../directory/users.ts'
import type { Db } from '../../platform/database/database.ts'
import { type OrganizationId, parseRoomId, type RoomId, type UserId } from '../../platform/ids.ts'
import { agentsInside, guestsInside, peopleInside, recordedRooms } from '../media-events/reads.ts'
import type { ActivityBoard, Shown } from './activity/board.ts'
import { noSuchRoom } from './rules.ts'

export type ListedRoom = Reply<'getRoom'>['body']['room']

export interface RoomViewNeeds {
  db: Db
  imageBaseUrl: string
  activity: Pick<ActivityBoard, 'shown'>
}

/**
 * The rooms of an organization in its order, or one of them, with what goes on in them: each as the JSON of a `ListedRoom`, in
 * the column `room`. PostgreSQL writes it: made here, of a row for each of hundreds of people, it cost the office three
 * times as much.
 */
function roomViews(
  imageBaseUrl: string,
  organization: OrganizationId,
  { viewer, activity, room }: { viewer: UserId; activity: readonly Shown[]; room?: RoomId },
): RawBuilder<{ room: ListedRoom }> {
  const people = sql`
    select room_id, json_agg(person order by since, user_id) as people from (
      select inside.room_id, inside.user_id, inside.since, (select row_to_json(person) from (select
        inside.user_id::text as "userId", known.identity_user_id as "presenceUserId",
        known.display_name as "displayName", known.avatar_url as "avatarUrl",
        ${isoTime(sql`inside.since`)} as since, inside.microphone, inside.camera, inside.screen,
        case when inside.microphone then coalesce(said.sound, 'published') else 'off' end as sound,
        inside.microphone and rooms.locked_at is null and rooms.first_person_id is null
          and not rooms.sealed and coalesce(said.speaking, false) as speaking,
        coalesce(said.hand, false) as hand) person) as person
      from (${peopleInside(organization, room)}) inside
        join rooms on rooms.id = inside.room_id
        join (${namesOfUsers(imageBaseUrl)}) known on known.id = inside.user_id
        left join jsonb_to_recordset(${JSON.stringify(activity)}::jsonb) as said (
          room uuid, who text, sound text, speaking boolean, hand boolean)
          on said.room = inside.room_id and said.who = inside.user_id::text) people
    group by room_id`
  const agents = sql`
    select room_id, json_agg(agent order by since, bot_id) as agents from (
      select inside.room_id, inside.bot_id, inside.since, (select row_to_json(agent) from (select
        inside.bot_id::text as "botId", known.display_name as name, ${isoTime(sql`inside.since`)} as since,
        inside.listens, inside.speaks) agent) as agent
      from (${agentsInside(organization, room)}) inside
        join (${namesOfUsers(imageBaseUrl)}) known on known.id = inside.bot_id) agents
    group by room_id`
  return sql`
    select row_to_json(room) as room from (
      select rooms.id, name_of_room(rooms) as name, rooms.metadata, rooms.kind, rooms.seats, rooms.position,
        rooms.locked_at is not null or rooms.first_person_id is not null as locked, rooms.sealed,
        rooms.first_person_id is not null as temporary, rooms.owner_id::text as "ownerId",
        ${isoTime(sql`rooms.created_at`)} as "createdAt",
        rooms.agent_dispatch as "agentDispatch", coalesce(inside.people, '[]') as people, coalesce(working.agents, '[]') as agents,
        coalesce(invited.guests, 0) as guests,
        recorded.room_id is not null as recording
      from rooms left join (${people}) inside on inside.room_id = rooms.id
        left join (${agents}) working on working.room_id = rooms.id
        left join (${guestsInside(organization, room)}) invited on invited.room_id = rooms.id
        left join (${recordedRooms(organization, room)}) recorded on recorded.room_id = rooms.id
      where rooms.organization_id = ${organization} and rooms.deleted_at is null
        and ${room === undefined ? isListed(viewer) : isKnown(room, viewer)}
      order by rooms.position, rooms.created_at, rooms.id) room`
}

/** A temporary room is in no list; a desk is listed while there are people inside, and for its owner. */
function isListed(viewer: UserId): RawBuilder<unknown> {
  return sql`rooms.first_person_id is null
    and (rooms.owner_id is null or rooms.owner_id = ${viewer} or inside.people is not null)`
}

function isKnown(room: RoomId, viewer: UserId): RawBuilder<unknown> {
  return sql`rooms.id = ${room}
    and (rooms.first_person_id is null or ${viewer} in (rooms.first_person_id, rooms.second_person_id))`
}

/** All of them as the text of a JSON array. */
export async function writeRoomViews(
  { db, imageBaseUrl, activity }: RoomViewNeeds,
  organization: OrganizationId,
  viewer: UserId,
): Promise<string> {
  const seen = { viewer, activity: activity.shown(organization) }
  const { rows } = await sql<{ room: string }>`
    select room::text from (${roomViews(imageBaseUrl, organization, seen)}) rooms`.execute(db)
  return `[${rows.map(({ room }) => room).join(',')}]`
}

/** One room with what goes on in it. @throws Refusal not-found */
export async function readRoomView(
  { db, imageBaseUrl, activity }: RoomViewNeeds,
  organization: OrganizationId,
  { roomId, viewer }: { roomId: string; viewer: UserId },
): Promise<ListedRoom> {
  const id = parseRoomId(roomId)
  const seen = { viewer, activity: activity.shown(organization), ...(id && { room: id }) }
  const found = id && (await roomViews(imageBaseUrl, organization, seen).execute(db))
  const [row] = found?.rows ?? []
  if (!row) throw noSuchRoom()
  return row.room
}

/** A column of the type timestamptz as `Date.toISOString` writes it. */
function isoTime(moment: RawBuilder<unknown>): RawBuilder<string> {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
