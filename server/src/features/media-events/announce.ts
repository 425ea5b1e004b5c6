import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import {
  claimsToBeGuest,
  GUEST_IDENTITIES,
  type OrganizationId,
  type RoomId,
  type UserId,
} from '../../platform/ids.ts'
import { type Connection, isInside, type Ledger } from './ledger.ts'

/** What may have to be told of a room. The database knows whether it has to. */
interface Notice {
  /** Of a person: they came or went, or publish something else. Of guests: how many there are. */
  what: 'room.entered' | 'room.left' | 'media' | 'guests'
  organization: OrganizationId
  room: RoomId
  user: UserId | null
  channels: readonly string[]
  /** In a temporary room: nothing of it is in a profile. */
  apart: boolean
  at: Date
}

const SHOWN_SOURCES = ['microphone', 'camera', 'screen_share']

/**
 * Tells an organization who came and who left, what people publish, and how many guests there are, in the transaction
 * that makes it so, by one statement. A person with another connection in the room has neither come nor gone. The room
 * that a person is in belongs to their profile too: of several the one they came into last.
 */
export async function announceOccupancy(tx: Tx, ledger: Ledger, now: Date): Promise<void> {
  const notices = [...comingsAndGoings(ledger), ...publishing(ledger, now), ...guests(ledger, now)]
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
    ), told as (
      select g.what = 'room.entered' as later, g.channels, 'room:' || g.room as key, g.at, g.what as type,
        jsonb_build_object('roomId', g.room, 'userId', g.user::text) as data
      from moved g
      union all
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
      where g.what = 'media' or (g.what = 'room.entered' and (m.microphone or m.camera or m.screen))
      union all
      select true, g.channels, 'room:' || g.room, g.at, 'room.updated', jsonb_build_object('roomId', g.room,
        'guests', (select count(distinct p.identity) from media_participants p
          where p.room_id = g.room and p.user_id is null and p.ended_at is null and p.counts
            and p.identity like ${GUEST_IDENTITIES}))
      from given g where g.what = 'guests'
      union all
      select true, g.channels, 'person:' || g.user, g.at, 'profile.updated', activity_of_member(g.organization, g.user)
      from (select distinct on (organization, "user") * from moved where not apart order by organization, "user", at desc) g
    )
    select append_event(channels, type, at, data, key)
    from (select * from told where data is not null order by later, type, at) told`.execute(tx)
}

/** Of each person and room once: the connections that changed, taken together. */
function comingsAndGoings(ledger: Ledger): Notice[] {
  const people = Map.groupBy(
    ledger.connections.changed().filter(({ userId }) => userId !== null),
    ({ roomId, userId }) => `${roomId} ${userId}`,
  )
  return [...people.values()].flatMap((connections): Notice[] => {
    const [first] = connections as [Connection]
    const inside = connections.filter(isInside)
    const wasInside = connections.some(({ sid }) => ledger.openBefore.has(sid))
    const told = toldTo(ledger, first)
    if (wasInside === inside.length > 0 || !told) return []
    const about = { ...told, user: first.userId }
    return wasInside
      ? [{ ...about, what: 'room.left', at: latest(connections.map(({ endedAt }) => endedAt)) }]
      : [{ ...about, what: 'room.entered', at: earliest(inside.map(({ joinedAt }) => joinedAt)) }]
  })
}

function publishing(ledger: Ledger, now: Date): Notice[] {
  const notices = new Map<string, Notice>()
  for (const { sid, participantSid, source, endedAt } of ledger.tracks.changed()) {
    if (!SHOWN_SOURCES.includes(source) || ledger.openBefore.has(sid) === (endedAt === null)) continue
    // of a connection that has not been heard of it is told when that comes
    const connection = ledger.connections.get(participantSid)
    const told = connection && toldTo(ledger, connection)
    if (!told || !connection.userId) continue
    const { roomId, userId: user } = connection
    notices.set(`${roomId} ${user}`, { ...told, what: 'media', user, at: now })
  }
  return [...notices.values()]
}

function guests(ledger: Ledger, now: Date): Notice[] {
  const notices = new Map<RoomId, Notice>()
  for (const connection of ledger.connections.changed()) {
    const { sid, identity } = connection
    if (!claimsToBeGuest(identity) || isInside(connection) === ledger.openBefore.has(sid)) continue
    const told = toldTo(ledger, connection)
    if (told) notices.set(told.room, { ...told, what: 'guests', user: null, at: now })
  }
  return [...notices.values()]
}

/** Undefined: its room was not touched. */
function toldTo(
  { channels }: Ledger,
  { organization, roomId: room, apart }: Connection,
): Pick<Notice, 'organization' | 'room' | 'apart' | 'channels'> | undefined {
  const told = channels.get(room)
  return told && { organization, room, apart, channels: told }
}

function earliest(times: readonly Date[]): Date {
  return new Date(Math.min(...times.map((time) => time.getTime())))
}

function latest(times: readonly (Date | null)[]): Date {
  return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)))
}
