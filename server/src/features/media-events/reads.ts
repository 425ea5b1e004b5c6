import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { GUEST_IDENTITIES, type OrganizationId, type RoomId, type UserId } from '../../platform/ids.ts'

/** What happened in an organization's rooms since a moment. */
export interface Activity {
  organization: OrganizationId
  /** Different members; guests are not among them. */
  uniqueMembers: number
  /** Of all stays that ended. */
  seconds: number
}

export async function activitySince(db: Db, since: Date): Promise<Activity[]> {
  const { rows } = await sql<Activity>`
    select organization_id as organization, count(distinct user_id)::int as "uniqueMembers", sum(seconds) as seconds
    from media_participants where counts and ended_at > ${since} group by 1`.execute(db)
  return rows
}

/** Recordings that ended with a file since a moment. */
export interface Recorded {
  organization: OrganizationId
  count: number
  seconds: number
}

export async function recordedSince(db: Db, since: Date): Promise<Recorded[]> {
  const { rows } = await sql<Recorded>`
    select organization_id as organization, count(*)::int as count, sum(seconds) as seconds
    from media_jobs
    where kind = 'egress' and result in ('success', 'limit_reached') and ended_at > ${since} group by 1`.execute(
    db,
  )
  return rows
}

/** The room that each of some people is in, of several the one they came into last; only of those who are in one. */
export async function roomsOfPeople(
  db: Db,
  organization: OrganizationId,
  users: readonly UserId[],
): Promise<Map<UserId, RoomId>> {
  const { rows } = await sql<{ user: UserId; room: RoomId }>`
    select distinct on (user_id) user_id as user, room_id as room from media_participants
    where organization_id = ${organization} and user_id = any(${users}::bigint[]) and ended_at is null and counts
    order by user_id, joined_at desc, sid`.execute(db)
  return new Map(rows.map(({ user, room }) => [user, room]))
}

/** What goes on in a room, as the media server has told it. */
export interface Occupancy {
  /** Each once, however many connections they have; whoever came first before the others. */
  people: PersonInside[]
  /** Guests who are inside; those who wait are not. */
  guests: number
  recording: boolean
}

export interface PersonInside {
  user: UserId
  since: Date
  microphone: boolean
  camera: boolean
  screen: boolean
}

interface OccupancyRow extends PersonInside {
  room: RoomId
  what: 'person' | 'guests' | 'recording'
  count: number
}

/** What goes on in the rooms of an organization, or in one of them. Rooms in which nothing does are left out. */
export async function readOccupancy(
  db: Db,
  organization: OrganizationId,
  room?: RoomId,
): Promise<Map<RoomId, Occupancy>> {
  const inRoom = room === undefined ? sql`` : sql`and p.room_id = ${room}`
  const { rows } = await sql<OccupancyRow>`
    select 'person' as what, p.room_id as room, p.user_id as user, min(p.joined_at) as since, 0 as count,
      coalesce(bool_or(t.source = 'microphone'), false) as microphone,
      coalesce(bool_or(t.source = 'camera'), false) as camera,
      coalesce(bool_or(t.source = 'screen_share'), false) as screen
    from media_participants p left join media_tracks t on t.participant_sid = p.sid and t.ended_at is null
    where p.organization_id = ${organization} and p.ended_at is null and p.counts and p.user_id is not null ${inRoom}
    group by p.room_id, p.user_id
    union all
    select 'guests', p.room_id, null, null, count(distinct p.identity)::int, false, false, false
    from media_participants p
    where p.organization_id = ${organization} and p.ended_at is null and p.counts and p.identity like ${GUEST_IDENTITIES} ${inRoom}
    group by p.room_id
    union all
    select 'recording', p.room_id, null, null, count(*)::int, false, false, false from media_jobs p
    where p.organization_id = ${organization} and p.ended_at is null and p.kind = 'egress' ${inRoom}
    group by p.room_id
    order by since, "user"`.execute(db)
  const rooms = new Map<RoomId, Occupancy>()
  for (const { what, room: id, count, ...person } of rows) {
    const found = rooms.get(id) ?? { people: [], guests: 0, recording: false }
    rooms.set(id, found)
    if (what === 'person') found.people.push(person)
    else if (what === 'guests') found.guests = count
    else found.recording = true
  }
  return rooms
}
