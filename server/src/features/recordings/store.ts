import type { Recording } from '@atrium/contract'
import { type ColumnType, type Generated, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { isUuid, type OrganizationId, type RoomId, trusted, type UserId } from '../../platform/ids.ts'
import type { KnownRecording, RecordingChange, RecordingState, StoredPlace, SweptRecording } from './rules.ts'
import type { StoredChapters, StoredWords } from './watching/speaker.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    recordings: {
      id: string
      organization_id: string
      room_id: string
      egress_id: string | null
      state: RecordingState
      presumed: Generated<boolean>
      conference_topic: string
      zone_id: string
      participants: string
      started_by: string
      requested_at: Date
      started_at: Date | null
      stop_requested_at: Date | null
      ended_at: Date | null
      missing_since: Date | null
      file_key: string
      file_location: string | null
      stored: Generated<StoredPlace | null>
      size_bytes: string | null
      duration_seconds: number | null
      failure: string | null
      name: string | null
      shared_until: Date | null
      chapters: ColumnType<StoredChapters | null, string | null, string | null>
      transcript: ColumnType<StoredWords | null, string | null, string | null>
      transcript_state: 'waiting' | 'failed' | null
      held_at: Date | null
      hold_reason: string | null
      removal_began_at: Date | null
    }
  }
}

export interface StoredRecording extends KnownRecording, SweptRecording {
  id: string
  organization: OrganizationId
  room: RoomId
  egressId: string | null
  conferenceTopic: string
  zoneId: string
  participants: string
  startedBy: UserId
  /** Null until it is named. */
  name: string | null
  /** Every member may watch it until then. */
  sharedUntil: Date | null
  /** Null until they are known. */
  chapters: StoredChapters | null
  /** Null: nothing writes it down. */
  transcript: Recording['transcript']
  /** Under legal hold since then. */
  heldAt: Date | null
  holdReason: string | null
  /** Its file is being deleted. */
  removalBeganAt: Date | null
}

export interface NewRecording {
  id: string
  organization: OrganizationId
  room: RoomId
  conferenceTopic: string
  zoneId: string
  participants: string
  startedBy: UserId
  requestedAt: Date
  fileKey: string
}

/** Until the transaction ends, no other recording of a room begins to run. */
export async function holdRoomForRecording(tx: Tx, room: RoomId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`recording in ${room}`}, 0))`.execute(tx)
}

/** @returns false where the room is being recorded already */
export async function insertRecording(tx: Tx, recording: NewRecording): Promise<boolean> {
  await holdRoomForRecording(tx, recording.room)
  const row = await tx
    .insertInto('recordings')
    .values({
      id: recording.id,
      organization_id: recording.organization,
      room_id: recording.room,
      egress_id: null,
      state: 'starting',
      conference_topic: recording.conferenceTopic,
      zone_id: recording.zoneId,
      participants: recording.participants,
      started_by: recording.startedBy,
      requested_at: recording.requestedAt,
      file_key: recording.fileKey,
    })
    // of an index of running ones: it is the only one that can be in the way
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

const COLUMNS = [
  'id',
  'organization_id',
  'room_id',
  'egress_id',
  'state',
  'presumed',
  'conference_topic',
  'zone_id',
  'participants',
  'started_by',
  'requested_at',
  'started_at',
  'stop_requested_at',
  'ended_at',
  'missing_since',
  'file_key',
  'file_location',
  'stored',
  'size_bytes',
  'duration_seconds',
  'name',
  'shared_until',
  'chapters',
  'held_at',
  'hold_reason',
  'removal_began_at',
  // words alone may be some megabytes
  sql<
    StoredRecording['transcript']
  >`coalesce(transcript_state, case when transcript is not null then 'made' end)`.as('transcript_known'),
] as const

/** Every column of a recording. */
export const selectRecordings = (db: Db) => db.selectFrom('recordings').select(COLUMNS)
type Row = Awaited<ReturnType<ReturnType<typeof selectRecordings>['execute']>>[number]

export function toRecording(row: Row): StoredRecording {
  return {
    id: row.id,
    organization: trusted.organizationId(row.organization_id),
    room: trusted.roomId(row.room_id),
    egressId: row.egress_id,
    state: row.state,
    presumed: row.presumed,
    conferenceTopic: row.conference_topic,
    zoneId: row.zone_id,
    participants: row.participants,
    startedBy: trusted.userId(row.started_by),
    requestedAt: row.requested_at,
    startedAt: row.started_at,
    stopRequestedAt: row.stop_requested_at,
    endedAt: row.ended_at,
    missingSince: row.missing_since,
    fileKey: row.file_key,
    fileLocation: row.file_location,
    stored: row.stored,
    sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
    durationSeconds: row.duration_seconds,
    name: row.name,
    sharedUntil: row.shared_until,
    chapters: row.chapters,
    transcript: row.transcript_known,
    heldAt: row.held_at,
    holdReason: row.hold_reason,
    removalBeganAt: row.removal_began_at,
  }
}

/** A recording of an organization by either of its ids. */
export async function readRecording(
  db: Db,
  organization: OrganizationId,
  ids: { id?: string | undefined; egressId?: string | undefined },
): Promise<StoredRecording | undefined> {
  const { id, egressId } = ids
  if (id !== undefined && !isUuid(id)) return undefined
  const row = await selectRecordings(db)
    .where('organization_id', '=', organization)
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .$if(egressId !== undefined, (query) => query.where('egress_id', '=', egressId as string))
    .executeTakeFirst()
  return row && toRecording(row)
}

export interface RecordingFilter {
  room?: RoomId
  zoneId?: string
  state?: RecordingState
  /** A member who was in it. */
  user?: UserId
  /** Those that ended before are left out … */
  endedSince: Date
  /** … but where they are under legal hold. */
  orHeld: boolean
}

/** A page of an organization's recordings, newest first, and how many there are. */
export async function listOwnRecordings(
  db: Db,
  organization: OrganizationId,
  { room, zoneId, state, user, endedSince, orHeld }: RecordingFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ recordings: StoredRecording[]; total: number }> {
  const wanted = db
    .selectFrom('recordings')
    .where('organization_id', '=', organization)
    .where((where) =>
      where.or([
        where('ended_at', 'is', null),
        where('ended_at', '>', endedSince),
        ...(orHeld ? [where('held_at', 'is not', null)] : []),
      ]),
    )
    .$if(room !== undefined, (query) => query.where('room_id', '=', room as string))
    .$if(zoneId !== undefined, (query) => query.where('zone_id', '=', zoneId as string))
    .$if(user !== undefined, (query) =>
      query.where(sql<boolean>`chapters @> ${JSON.stringify([{ identity: user }])}::jsonb`),
    )
    .$if(state !== undefined, (query) => query.where('state', '=', state as RecordingState))
  const { total } = await wanted
    .select((of) => of.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await wanted
    .select(COLUMNS)
    .orderBy('requested_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { recordings: rows.map(toRecording), total: Number(total) }
}

/** Locks a recording until the transaction ends. */
export async function lockRecording(
  tx: Tx,
  organization: OrganizationId,
  id: string,
): Promise<StoredRecording | undefined> {
  const row = await selectRecordings(tx)
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && toRecording(row)
}

/** Where it has none yet. */
export async function setEgressId(
  db: Db,
  organization: OrganizationId,
  id: string,
  egressId: string,
): Promise<void> {
  await db
    .updateTable('recordings')
    .set({ egress_id: egressId })
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .where('egress_id', 'is', null)
    .execute()
}

export async function changeRecording(
  db: Db,
  organization: OrganizationId,
  id: string,
  change: RecordingChange & { stopRequestedAt?: Date; missingSince?: Date | null },
): Promise<void> {
  const columns = {
    state: change.state,
    presumed: change.presumed,
    started_at: change.startedAt,
    ended_at: change.endedAt,
    size_bytes: change.sizeBytes === undefined ? undefined : String(change.sizeBytes),
    duration_seconds: change.durationSeconds,
    file_location: change.fileLocation,
    stored: change.stored,
    file_key: change.fileKey,
    failure: change.failure,
    stop_requested_at: change.stopRequestedAt,
    missing_since: change.missingSince,
  }
  if (Object.values(columns).every((value) => value === undefined)) return
  await db
    .updateTable('recordings')
    .set(columns)
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .execute()
}
