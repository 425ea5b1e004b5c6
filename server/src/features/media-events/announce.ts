import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import {
  claimsToBeGuest,
  GUEST_IDENTITIES,
  type OrganizationId,
  type RoomId,
  type UserId,
} from '../../platform/ids.ts'
import { type Connection, isAgentInside, isInside, type Ledger } from './ledger.ts'

/** What may have to be told of a room. The database knows whether it has to. */
interface Notice {
  /**
   * Of a person: they came or went, or publish something else. Of a bot: it came or went. Of guests: how many there are.
   */
  what: 'room.entered' | 'room.left' | 'agent.entered' | 'agent.left' | 'media' | 'guests'
  organization: OrganizationId
  room: RoomId
  user: UserId | null
  channels: readonly string[]
  /** In a temporary room: nothing of it is in a profile. */
  apart: boolean
  at: Date
}

const SHOWN_SOURCES = ['microphone', 'camera', 'screen_share']

/** The lines of `told`: who is told what of which change, by `moved`, `agents` and `given` of the statement below. */
const PEOPLE_TOLD = sql`
  select g.what = 'room.entered' as later, g.channels, 'room:' || g.room as key, g.at, g.what as type,
    jsonb_build_object('roomId', g.room, 'userId', g.user::text) as data
  from moved g`

const BOTS_TOLD = sql`
  select true, g.channels, 'room:' || g.room, g.at, g.what, case g.what
    when 'agent.left' then jsonb_build_object('roomId', g.room, 'botId', g.user::text)
    else jsonb_build_object('roomId', g.room, 'botId', g.user::text,
      'name', name_of_bot(g.organization, g.user), 'since',
        to_char(g.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'listens', g.listens,
      'speaks', g.speaks) end
  from agents g`

const MEDIA_TOLD = sql`
  select true, g.channels, 'room:' || g.room, g.at, 'room.updated', jsonb_build_object('roomId', g.room,
    'person', jsonb_build_object('userId', g.user::text, 'microphone', m.microphone, 'camera', m.camera,
      'screen', m.screen))
  from given g cross join lateral (
    select coalesce(bool_or(t.source = 'microphone'), false) as microphone,
      coalesce(bool_or(t.source = 'camera'), false) as camera,
      coalesce(bool_or(t.source = 'screen_share'), false) as screen
    from media_participants p left join media_tracks t on t.participant_sid = p.sid and t.ended_at is null
    where p.room_id = g.room and p.user_id = g.user and p.ended_at is null and p.counts
    having count(*) > 0) m
  -- a person who comes in publishes nothing yet, unless this was heard of first
  where g.what = 'media' or (g.what = 'room.entered' and (m.microphone or m.camera or m.screen))`

const GUESTS_TOLD = sql`
  select true, g.channels, 'room:' || g.room, g.at, 'room.updated', jsonb_build_object('roomId', g.room,
    'guests', (select count(distinct p.identity) from media_participants p
      where p.room_id = g.room and p.user_id is null and p.ended_at is null and p.counts
        and p.identity like ${GUEST_IDENTITIES}))
  from given g where g.what = 'guests'`

const PROFILES_TOLD = sql`
  select true, g.channels, 'person:' || g.user, g.at, 'profile.updated', activity_of_member(g.organization, g.user)
  from (select distinct on (organization, "user") * from moved where not apart order by organization, "user", at desc) g`

/**
 * Tells an organization who came and who left, what people publish, and how many guests there are, in the transaction
 * that makes it so, by one statement. A person with another connection in the room has neither come nor gone. The room
 * that a person is in belongs to their profile too: of several the one they came into last.
 */
export async function announceOccupancy(tx: Tx, ledger: Ledger, now: Date): Promise<void> {
  const people = comingsAndGoings(ledger, 'room', ({ userId }) => userId, isInside)
  const agents = comingsAndGoings(ledger, 'agent', ({ botId }) => botId, isAgentInside)
  const notices = [...people, ...agents, ...publishing(ledger, now), ...guests(ledger, now)]
  if (notices.length === 0) return
  const written = ledger.connections.changed().map(({ sid }) => sid)
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(notices)}::jsonb)
        as g (what text, organization bigint, room uuid, "user" bigint, channels text[], apart boolean,
          at timestamptz)
    ), moved as (
      select g.* from given g where g.what in ('room.entered', 'room.left') and not exists (
        select from media_participants p where p.room_id = g.room and p.user_id = g.user and p.ended_at is null
          and p.counts and p.sid <> all(${written}::text[]))
    ), agents as (
      select g.*, inside.listens, inside.speaks, inside.since from given g
        cross join lateral (
          select bool_or(p.listens) as listens, bool_or(p.speaks) as speaks, min(p.joined_at) as since,
            bool_or(p.sid <> all(${written}::text[])) as elsewhere
          from media_participants p where p.room_id = g.room and p.bot_id = g.user
            and (p.ended_at is null or (g.what = 'agent.left' and p.sid = any(${written}::text[])))) inside
      where g.what in ('agent.entered', 'agent.left') and not inside.elsewhere
    ), told as (
      ${PEOPLE_TOLD}
      union all ${BOTS_TOLD}
      union all ${MEDIA_TOLD}
      union all ${GUESTS_TOLD}
      union all ${PROFILES_TOLD}
    )
    select append_event(channels, type, at, data, key)
    from (select * from told where data is not null order by later, type, at) told`.execute(tx)
}

/** Of each person or bot and room once: the connections that changed, taken together. */
function comingsAndGoings(
  ledger: Ledger,
  of: 'room' | 'agent',
  whose: (connection: Connection) => UserId | null,
  isThere: (connection: Connection) => boolean,
): Notice[] {
  const each = Map.groupBy(
    ledger.connections.changed().filter((connection) => whose(connection) !== null),
    (connection) => `${connection.roomId} ${whose(connection)}`,
  )
  return [...each.values()].flatMap((connections): Notice[] => {
    const [first] = connections as [Connection]
    const inside = connections.filter(isThere)
    const wasInside = connections.some(({ sid }) => ledger.openBefore.has(sid))
    const audience = audienceOf(ledger, first)
    if (wasInside === inside.length > 0 || !audience) return []
    const about = { ...audience, user: whose(first) }
    return wasInside
      ? [{ ...about, what: `${of}.left`, at: latest(connections.map(({ endedAt }) => endedAt)) }]
      : [{ ...about, what: `${of}.entered`, at: earliest(inside.map(({ joinedAt }) => joinedAt)) }]
  })
}

function publishing(ledger: Ledger, now: Date): Notice[] {
  const notices = new Map<string, Notice>()
  for (const { sid, participantSid, source, endedAt } of ledger.tracks.changed()) {
    if (!SHOWN_SOURCES.includes(source) || ledger.openBefore.has(sid) === (endedAt === null)) continue
    // of a connection that has not been heard of it is told when that comes
    const connection = ledger.connections.get(participantSid)
    const audience = connection && audienceOf(ledger, connection)
    if (!audience || !connection.userId) continue
    const { roomId, userId: user } = connection
    notices.set(`${roomId} ${user}`, { ...audience, what: 'media', user, at: now })
  }
  return [...notices.values()]
}

function guests(ledger: Ledger, now: Date): Notice[] {
  const notices = new Map<RoomId, Notice>()
  for (const connection of ledger.connections.changed()) {
    const { sid, identity } = connection
    if (!claimsToBeGuest(identity) || isInside(connection) === ledger.openBefore.has(sid)) continue
    const audience = audienceOf(ledger, connection)
    if (audience) notices.set(audience.room, { ...audience, what: 'guests', user: null, at: now })
  }
  return [...notices.values()]
}

/** Undefined: its room was not touched. */
function audienceOf(
  { channels }: Ledger,
  { organization, roomId: room, apart }: Connection,
): Pick<Notice, 'organization' | 'room' | 'apart' | 'channels'> | undefined {
  const roomChannels = channels.get(room)
  return roomChannels && { organization, room, apart, channels: roomChannels }
}

function earliest(times: readonly Date[]): Date {
  return new Date(Math.min(...times.map((time) => time.getTime())))
}

function latest(times: readonly (Date | null)[]): Date {
  return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)))
}
