import { type Generated, sql } from 'kysely'
import { botOfWorkers } from '../../directory/members/members.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { deleteInPieces } from '../../platform/database/delete-in-pieces.ts'
import { type Answered, type OrganizationId, type RoomId, trusted } from '../../platform/ids.ts'
import { connectionOf, ofOrganization, ofRoom } from './answered-rows.ts'
import {
  type Connection,
  isAgentInside,
  isInside,
  type KnownRoom,
  type Ledger,
  type MediaJob,
  newLedger,
  type PublishedTrack,
  type RoomSession,
  workersIn,
} from './ledger.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    media_rooms: {
      sid: string
      organization_id: string
      room_id: string
      started_at: Date
      counted: boolean
      ended_at: Date | null
      ended_by: RoomSession['endedBy'] | null
    }
    media_participants: {
      sid: string
      organization_id: string
      room_sid: string
      room_id: string
      identity: string
      user_id: string | null
      bot_id: Generated<string | null>
      listens: Generated<boolean>
      speaks: Generated<boolean>
      counts: boolean
      apart: Generated<boolean>
      waits: boolean
      joined_at: Date
      counted: boolean
      ended_at: Date | null
      ended_by: Connection['endedBy'] | null
      seconds: number | null
    }
    media_tracks: {
      sid: string
      organization_id: string
      room_sid: string
      participant_sid: string
      source: PublishedTrack['source']
      type: PublishedTrack['type']
      published_at: Date
      ended_at: Date | null
      ended_by: PublishedTrack['endedBy'] | null
    }
    media_jobs: {
      kind: MediaJob['kind']
      key: string
      organization_id: string
      room_id: string
      variety: string
      started_at: Date | null
      counted: boolean
      ended_at: Date | null
      result: string | null
      seconds: number | null
    }
  }
}

/** What a piece of work is about. */
export interface LedgerKeys {
  /** SIDs of sessions of rooms; of those that end, everything that is open in them comes too. */
  rooms: readonly string[]
  endingRooms: readonly string[]
  /** SIDs of connections; of those that end, their open tracks come too. */
  connections: readonly string[]
  endingConnections: readonly string[]
  tracks: readonly string[]
  /** `key` of recordings and streams, of either kind. */
  jobs: readonly string[]
  /** Ids of streams brought in that end, of which it is not told when they began: all their runs come too. */
  endingIngresses: readonly string[]
}

/** What is known of some SIDs, of whichever organization: the media server's events name no organization. */
export async function loadLedger(tx: Tx, keys: LedgerKeys, into: Ledger = newLedger()): Promise<Ledger> {
  const endingRooms = [...keys.endingRooms]
  const rooms = await sql<Answered<RoomSession>>`
    select ${roomColumns} from media_rooms where sid = any(${[...keys.rooms]}::text[])`.execute(tx)
  const connections = await sql<Answered<Connection>>`
    select ${connectionColumns} from media_participants where sid = any(${[...keys.connections]}::text[])
    union select ${connectionColumns} from media_participants
      where room_sid = any(${endingRooms}::text[]) and ended_at is null`.execute(tx)
  const ending = [...keys.endingConnections]
  const tracks = await sql<Answered<PublishedTrack>>`
    select ${trackColumns} from media_tracks where sid = any(${[...keys.tracks]}::text[])
    union select ${trackColumns} from media_tracks where participant_sid = any(${ending}::text[]) and ended_at is null
    union select ${trackColumns} from media_tracks
      where room_sid = any(${endingRooms}::text[]) and ended_at is null`.execute(tx)
  const jobs = await sql<Answered<MediaJob>>`
    select ${jobColumns} from media_jobs where key = any(${[...keys.jobs]}::text[])`.execute(tx)
  if (keys.endingIngresses.length > 0) {
    const runs = await sql<Answered<MediaJob>>`
      select ${jobColumns} from media_jobs
      where kind = 'ingress' and split_part(key, '@', 1) = any(${[...keys.endingIngresses]}::text[])`.execute(
      tx,
    )
    jobs.rows.push(...runs.rows)
  }
  return placed(into, { rooms, connections, tracks, jobs })
}

/** Notes which bots the workers are that have come. */
export async function noteWorkers(
  tx: Tx,
  ledger: Ledger,
  come: readonly { place: Pick<KnownRoom, 'organization'> | undefined; worker: string | undefined }[],
): Promise<void> {
  for (const { place, worker } of come) {
    if (!place || worker === undefined) continue
    const bot = await botOfWorkers(tx, place.organization, worker)
    if (bot) ledger.workers.set(workersIn(place, worker), bot)
  }
}

/** Everything that is open now. */
export async function loadOpen(tx: Tx): Promise<Ledger> {
  const [rooms, connections, tracks, jobs] = [
    await sql<Answered<RoomSession>>`select ${roomColumns} from media_rooms where ended_at is null`.execute(
      tx,
    ),
    await sql<
      Answered<Connection>
    >`select ${connectionColumns} from media_participants where ended_at is null`.execute(tx),
    await sql<
      Answered<PublishedTrack>
    >`select ${trackColumns} from media_tracks where ended_at is null`.execute(tx),
    await sql<Answered<MediaJob>>`select ${jobColumns} from media_jobs where ended_at is null`.execute(tx),
  ]
  return placed(newLedger(), { rooms, connections, tracks, jobs })
}

interface Found<Row> {
  rows: Answered<Row>[]
}

function placed(
  ledger: Ledger,
  found: {
    rooms: Found<RoomSession>
    connections: Found<Connection>
    tracks: Found<PublishedTrack>
    jobs: Found<MediaJob>
  },
): Ledger {
  for (const row of found.rooms.rows) ledger.rooms.place(ofRoom(row))
  for (const answered of found.connections.rows) {
    const row = connectionOf(answered)
    ledger.connections.place(row)
    if (isInside(row) || isAgentInside(row)) ledger.openBefore.add(row.sid)
  }
  for (const row of found.tracks.rows) {
    ledger.tracks.place(ofOrganization(row))
    if (!row.endedAt) ledger.openBefore.add(row.sid)
  }
  for (const row of found.jobs.rows) ledger.jobs.place(ofRoom(row))
  return ledger
}

/** Writes what has changed in it. */
export async function saveLedger(tx: Tx, { rooms, connections, tracks, jobs }: Ledger): Promise<void> {
  const [changedRooms, changedConnections] = [rooms.changed(), connections.changed()]
  const [changedTracks, changedJobs] = [tracks.changed(), jobs.changed()]
  if (changedRooms.length > 0)
    await sql`
      insert into media_rooms (sid, organization_id, room_id, started_at, counted, ended_at, ended_by)
      select * from jsonb_to_recordset(${JSON.stringify(changedRooms)}::jsonb) as given (
        sid text, organization bigint, "roomId" uuid, "startedAt" timestamptz, counted boolean,
        "endedAt" timestamptz, "endedBy" text)
      on conflict (sid) do update set started_at = excluded.started_at, counted = excluded.counted,
        ended_at = excluded.ended_at, ended_by = excluded.ended_by`.execute(tx)
  if (changedConnections.length > 0)
    await sql`
      insert into media_participants (sid, organization_id, room_sid, room_id, identity, user_id, bot_id, listens,
        speaks, counts, apart, waits, joined_at, counted, ended_at, ended_by, seconds)
      -- an agent that is no bot of the organization is none
      select sid, organization, "roomSid", "roomId", identity, "userId",
        case when name_of_bot(organization, "botId") is not null then "botId" end, listens, speaks, counts, apart, waits,
        "joinedAt", counted, "endedAt", "endedBy", seconds
      from jsonb_to_recordset(${JSON.stringify(changedConnections)}::jsonb) as given (
        sid text, organization bigint, "roomSid" text, "roomId" uuid, identity text, "userId" bigint,
        "botId" bigint, listens boolean, speaks boolean, counts boolean, apart boolean, waits boolean, "joinedAt" timestamptz, counted boolean, "endedAt" timestamptz,
        "endedBy" text, seconds float8)
      on conflict (sid) do update set counts = excluded.counts, waits = excluded.waits,
        joined_at = excluded.joined_at, counted = excluded.counted, ended_at = excluded.ended_at,
        ended_by = excluded.ended_by, seconds = excluded.seconds`.execute(tx)
  if (changedTracks.length > 0)
    await sql`
      insert into media_tracks (sid, organization_id, room_sid, participant_sid, source, type, published_at,
        ended_at, ended_by)
      select * from jsonb_to_recordset(${JSON.stringify(changedTracks)}::jsonb) as given (
        sid text, organization bigint, "roomSid" text, "participantSid" text, source text, type text,
        "publishedAt" timestamptz, "endedAt" timestamptz, "endedBy" text)
      on conflict (sid) do update set ended_at = excluded.ended_at, ended_by = excluded.ended_by`.execute(tx)
  if (changedJobs.length > 0)
    await sql`
      insert into media_jobs (kind, key, organization_id, room_id, variety, started_at, counted, ended_at, result,
        seconds)
      select * from jsonb_to_recordset(${JSON.stringify(changedJobs)}::jsonb) as given (
        kind text, key text, organization bigint, "roomId" uuid, variety text, "startedAt" timestamptz,
        counted boolean, "endedAt" timestamptz, result text, seconds float8)
      on conflict (key, kind) do update set started_at = excluded.started_at, counted = excluded.counted,
        ended_at = excluded.ended_at, result = excluded.result, seconds = excluded.seconds`.execute(tx)
}

/** How much is open in organizations: the sizes of the sets. */
export interface OpenCount {
  organization: OrganizationId
  what: 'rooms' | 'participants' | 'tracks' | 'egress' | 'ingress'
  source: string | null
  type: string | null
  count: number
}

export async function countOpen(tx: Tx, organizations: readonly OrganizationId[]): Promise<OpenCount[]> {
  const ids = [...organizations]
  const { rows } = await sql<Answered<OpenCount>>`
    select organization_id as organization, 'rooms' as what, null as source, null as type, count(*)::int as count
      from media_rooms where ended_at is null and organization_id = any(${ids}::bigint[]) group by 1
    union all select organization_id, 'participants', null, null, count(*)::int
      from media_participants where ended_at is null and counts and organization_id = any(${ids}::bigint[]) group by 1
    union all select organization_id, 'tracks', source, type, count(*)::int
      from media_tracks where ended_at is null and organization_id = any(${ids}::bigint[]) group by 1, 3, 4
    union all select organization_id, kind, null, null, count(*)::int
      from media_jobs where ended_at is null and organization_id = any(${ids}::bigint[]) group by 1, 2`.execute(
    tx,
  )
  return rows.map(ofOrganization)
}

/** Guests who are connected and wait, of all organizations. */
export async function listWaiting(db: Db): Promise<{ sid: string; roomId: RoomId; identity: string }[]> {
  const { rows } = await sql<{ sid: string; roomId: string; identity: string }>`
    select sid, room_id as "roomId", identity from media_participants where ended_at is null and waits`.execute(
    db,
  )
  return rows.map(({ roomId, ...row }) => ({ ...row, roomId: trusted.roomId(roomId) }))
}

/**
 * Deletes what is no longer read: connections and recordings after the 90 days of unique users, the rest after the time
 * for late events.
 */
export async function purgeKnown(db: Db, before: { activity: Date; ended: Date }): Promise<void> {
  await deleteInPieces(db, 'media_participants', sql`ended_at < ${before.activity}`)
  await deleteInPieces(db, 'media_jobs', sql`ended_at < ${before.activity}`)
  await deleteInPieces(db, 'media_rooms', sql`ended_at < ${before.ended}`)
  await deleteInPieces(db, 'media_tracks', sql`ended_at < ${before.ended}`)
}

const roomColumns = sql`sid, organization_id as organization, room_id as "roomId", started_at as "startedAt", counted,
  ended_at as "endedAt", ended_by as "endedBy"`
const connectionColumns = sql`sid, organization_id as organization, room_sid as "roomSid", room_id as "roomId", identity,
  user_id as "userId", bot_id as "botId", listens, speaks, counts, apart, waits, joined_at as "joinedAt", counted, ended_at as "endedAt",
  ended_by as "endedBy", seconds`
const trackColumns = sql`sid, organization_id as organization, room_sid as "roomSid", participant_sid as "participantSid",
  source, type, published_at as "publishedAt", ended_at as "endedAt", ended_by as "endedBy"`
const jobColumns = sql`kind, key, organization_id as organization, room_id as "roomId", variety,
  started_at as "startedAt", counted, ended_at as "endedAt", result, seconds`
