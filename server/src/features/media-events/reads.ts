import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import {
  type Answered,
  GUEST_IDENTITIES,
  type OrganizationId,
  type RoomId,
  trusted,
  type UserId,
} from '../../platform/ids.ts'
import type { ParticipantIdentity } from '../../ports/media.ts'
import { ofOrganization } from './answered-rows.ts'

/** What happened in an organization's rooms since a moment. */
export interface Activity {
  organization: OrganizationId
  /** Different members; guests are not among them. */
  uniqueMembers: number
  /** Of all stays that ended. */
  seconds: number
}

export async function activitySince(
  db: Db,
  since: Date,
  organizations?: readonly OrganizationId[],
): Promise<Activity[]> {
  const { rows } = await sql<Answered<Activity>>`
    select organization_id as organization, count(distinct user_id)::int as "uniqueMembers", coalesce(sum(seconds), 0) as seconds
    from media_participants where counts and ended_at > ${since} ${among(organizations)} group by 1`.execute(
    db,
  )
  return rows.map(ofOrganization)
}

/** Recordings that ended with a file since a moment. */
export interface Recorded {
  organization: OrganizationId
  count: number
  seconds: number
}

export async function recordedSince(
  db: Db,
  since: Date,
  organizations?: readonly OrganizationId[],
): Promise<Recorded[]> {
  const { rows } = await sql<Answered<Recorded>>`
    select organization_id as organization, count(*)::int as count, coalesce(sum(seconds), 0) as seconds
    from media_jobs
    where kind = 'egress' and result in ('success', 'limit_reached') and ended_at > ${since}
      ${among(organizations)} group by 1`.execute(db)
  return rows.map(ofOrganization)
}

function among(organizations: readonly OrganizationId[] | undefined) {
  return organizations ? sql`and organization_id = any(${[...organizations]}::bigint[])` : sql``
}

/** A stretch of time: what ended after `after`, until `until`. */
export interface Stretch {
  after: Date
  until: Date
}

/** Organizations where a stay, or a recording, ended in one of these stretches. */
export async function organizationsWithEnds(
  db: Db,
  { stays, recordings }: { stays: readonly Stretch[]; recordings: readonly Stretch[] },
): Promise<OrganizationId[]> {
  const { rows } = await sql<{ id: string }>`
    select p.organization_id as id from ${stretches(stays)}
      join media_participants p on p.ended_at > given.after and p.ended_at <= given.until
    union select j.organization_id from ${stretches(recordings)}
      join media_jobs j on j.ended_at > given.after and j.ended_at <= given.until`.execute(db)
  return rows.map(({ id }) => trusted.organizationId(id))
}

function stretches(all: readonly Stretch[]) {
  return sql`unnest(${all.map(({ after }) => after)}::timestamptz[], ${all.map(({ until }) => until)}::timestamptz[])
    as given (after, until)`
}

/** The room that each of some people is in, of several the one they came into last; only of those who are in one. */
export async function roomsOfPeople(
  db: Db,
  organization: OrganizationId,
  users: readonly UserId[],
): Promise<Map<UserId, RoomId>> {
  const { rows } = await sql<{ user: string; room: string }>`
    select distinct on (user_id) user_id as user, room_id as room from media_participants
    where organization_id = ${organization} and user_id = any(${users}::bigint[]) and ended_at is null and counts and not apart
    order by user_id, joined_at desc, sid`.execute(db)
  return new Map(rows.map(({ user, room }) => [trusted.userId(user), trusted.roomId(room)]))
}

interface PersonAtRoom {
  room: RoomId
  user: UserId
}

/** The members who are in a room, each once. */
export async function usersInside(db: Db, organization: OrganizationId, room: RoomId): Promise<UserId[]> {
  const { rows } = await sql<{ user: string }>`
    select distinct user_id as user from media_participants
    where organization_id = ${organization} and room_id = ${room} and ended_at is null and counts
      and user_id is not null`.execute(db)
  return rows.map(({ user }) => trusted.userId(user))
}

/** Whether a person is in a room, by whichever connection. */
export async function isInside(
  db: Db,
  organization: OrganizationId,
  { room, user }: PersonAtRoom,
): Promise<boolean> {
  const { rows } = await sql`
    select from media_participants
    where organization_id = ${organization} and room_id = ${room} and user_id = ${user} and ended_at is null and counts
    limit 1`.execute(db)
  return rows.length > 0
}

/** The same by the identity at the media server: guests have no other. */
export async function isIdentityInside(
  db: Db,
  organization: OrganizationId,
  { room, identity }: { room: RoomId; identity: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from media_participants
    where organization_id = ${organization} and room_id = ${room} and identity = ${identity} and ended_at is null
      and counts limit 1`.execute(db)
  return rows.length > 0
}

/** Whether anybody is in a room, or was since a moment; those who waited before it included. */
export async function wasUsedSince(
  db: Db,
  organization: OrganizationId,
  { room, since }: { room: RoomId; since: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select from media_participants
    where organization_id = ${organization} and room_id = ${room} and (ended_at is null or ended_at > ${since})
    union all select from media_jobs
    where organization_id = ${organization} and room_id = ${room} and ended_at is null
    limit 1`.execute(db)
  return rows.length > 0
}

/** As `isInside`, and until the transaction ends their stay does not end. */
export async function holdInside(
  tx: Tx,
  organization: OrganizationId,
  { room, user }: PersonAtRoom,
): Promise<boolean> {
  const { rows } = await sql`
    select sid from media_participants
    where organization_id = ${organization} and room_id = ${room} and user_id = ${user} and ended_at is null and counts
    for share`.execute(tx)
  return rows.length > 0
}

/** Whether a person or a guest is in a room, or was since a moment, by another connection than one of them. */
export async function isInsideSince(
  db: Db,
  organization: OrganizationId,
  place: (PersonAtRoom | { room: RoomId; identity: ParticipantIdentity }) & {
    since: Date
    joinedAfter: Date | null
    except: string | undefined
  },
): Promise<boolean> {
  const { room, since, joinedAfter, except } = place
  const isTheirs = 'user' in place ? sql`user_id = ${place.user}` : sql`identity = ${place.identity}`
  const { rows } = await sql`
    select from media_participants
    where organization_id = ${organization} and room_id = ${room} and ${isTheirs} and counts
      and (ended_at is null or ended_at > ${since}) and sid is distinct from ${except ?? null}
      and (${joinedAfter}::timestamptz is null or joined_at > ${joinedAfter}) limit 1`.execute(db)
  return rows.length > 0
}

/** What a participant did in a room. */
export interface Stir {
  at: Date
  kind: 'entered' | 'left' | 'shared'
  identity: ParticipantIdentity
}

/** Who came, left and shared a screen in a room within a stretch of time, in order; `entered`: also who was inside before. */
export async function stirIn(
  db: Db,
  organization: OrganizationId,
  room: RoomId,
  { from, until }: { from: Date; until: Date },
): Promise<Stir[]> {
  const { rows } = await sql<Stir>`
    with inside as (
      select sid, identity, joined_at, ended_at from media_participants
      where organization_id = ${organization} and room_id = ${room} and counts
        and joined_at < ${until} and (ended_at is null or ended_at > ${from}))
    select joined_at as at, 'entered' as kind, identity from inside
    union all select ended_at, 'left', identity from inside where ended_at < ${until}
    union all select t.published_at, 'shared', p.identity from media_tracks t join inside p on p.sid = t.participant_sid
      where t.source = 'screen_share' and t.published_at < ${until} and (t.ended_at is null or t.ended_at > ${from})
    order by at limit ${STIR_MAX}`.execute(db)
  return rows
}

const STIR_MAX = 1_000

/** Who is inside some rooms, as `<room> <User.id or guest identity>`, and whether they publish a microphone. */
export async function microphonesIn(db: Db, rooms: readonly RoomId[]): Promise<Map<string, boolean>> {
  const { rows } = await sql<{ place: string; microphone: boolean }>`
    select p.room_id || ' ' || coalesce(p.user_id::text, p.identity) as place,
      bool_or(t.sid is not null) as microphone
    from media_participants p
      left join media_tracks t on t.participant_sid = p.sid and t.ended_at is null and t.source = 'microphone'
    where p.room_id = any(${rooms}::uuid[]) and p.ended_at is null and p.counts group by 1`.execute(db)
  return new Map(rows.map(({ place, microphone }) => [place, microphone]))
}

/** Every room that a user, a bot too, is in, by each of their connections. */
export async function roomsOfPerson(db: Db, organization: OrganizationId, user: UserId): Promise<RoomId[]> {
  const { rows } = await sql<{ room: string }>`
    select distinct room_id as room from media_participants
    where organization_id = ${organization} and ${user} in (user_id, bot_id) and ended_at is null`.execute(db)
  return rows.map(({ room }) => trusted.roomId(room))
}

/**
 * The people in the rooms of an organization, or in one of them, as SQL: each person once in a room, however many
 * connections they have, by `room_id`, `user_id`, `since` and what they publish.
 */
export function peopleInside(organization: OrganizationId, room?: RoomId): RawBuilder<unknown> {
  return sql`
    select p.room_id, p.user_id, min(p.joined_at) as since,
      coalesce(bool_or(t.source = 'microphone'), false) as microphone,
      coalesce(bool_or(t.source = 'camera'), false) as camera,
      coalesce(bool_or(t.source = 'screen_share'), false) as screen
    from media_participants p left join media_tracks t on t.participant_sid = p.sid and t.ended_at is null
    where p.organization_id = ${organization} and p.ended_at is null and p.counts and p.user_id is not null ${inRoom(room)}
    group by p.room_id, p.user_id`
}

/** The connections of bots to rooms of an organization, or of one bot to them. */
export async function connectionsOfBots(
  db: Db,
  organization: OrganizationId,
  bot?: UserId,
): Promise<{ room: RoomId; identity: ParticipantIdentity; bot: UserId }[]> {
  const { rows } = await sql<{ room: string; identity: string; bot: string }>`
    select room_id as room, identity, bot_id as bot from media_participants
    where organization_id = ${organization} and ended_at is null and bot_id is not null
      ${bot === undefined ? sql`` : sql`and bot_id = ${bot}`}`.execute(db)
  return rows.map(({ room, identity, bot }) => ({
    ...{ room: trusted.roomId(room), identity, bot: trusted.userId(bot) },
  }))
}

/** The bots that are in a room. */
export async function botsInside(db: Db, organization: OrganizationId, room: RoomId): Promise<UserId[]> {
  const { rows } = await sql<{ bot_id: string }>`
    select bot_id from (${agentsInside(organization, room)}) inside`.execute(db)
  return rows.map((row) => trusted.userId(row.bot_id))
}

/** The bots in the rooms of an organization, or in one of them, as SQL: each once in a room, however many connections it has. */
export function agentsInside(organization: OrganizationId, room?: RoomId): RawBuilder<unknown> {
  return sql`
    select p.room_id, p.bot_id, min(p.joined_at) as since, bool_or(p.listens) as listens, bool_or(p.speaks) as speaks
    from media_participants p
    where p.organization_id = ${organization} and p.ended_at is null and p.bot_id is not null ${inRoom(room)}
    group by p.room_id, p.bot_id`
}

/** How many guests are inside, as SQL by `room_id` and `guests`, of rooms that have some; those who wait are not. */
export function guestsInside(organization: OrganizationId, room?: RoomId): RawBuilder<unknown> {
  return sql`
    select p.room_id, count(distinct p.identity)::int as guests from media_participants p
    where p.organization_id = ${organization} and p.ended_at is null and p.counts
      and p.identity like ${GUEST_IDENTITIES} ${inRoom(room)}
    group by p.room_id`
}

/** The rooms that are recorded, as SQL by `room_id`. */
export function recordedRooms(organization: OrganizationId, room?: RoomId): RawBuilder<unknown> {
  return sql`
    select distinct p.room_id from media_jobs p
    where p.organization_id = ${organization} and p.ended_at is null and p.kind = 'egress' ${inRoom(room)}`
}

function inRoom(room: RoomId | undefined): RawBuilder<unknown> {
  return room === undefined ? sql`` : sql`and p.room_id = ${room}`
}
