import { type Generated, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type OrganizationId, type RoomId, trusted, type UserId } from '../../platform/ids.ts'
import {
  type KnownRecording,
  type RecordingChange,
  type RecordingState,
  RUNNING_STATES,
  type SweptRecording,
} from './rules.ts'

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
      size_bytes: string | null
      duration_seconds: number | null
      failure: string | null
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
  fileKey: string
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

/** @returns false where the room is being recorded already */
export async function insertRecording(db: Db, recording: NewRecording): Promise<boolean> {
  const row = await db
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
  'size_bytes',
  'duration_seconds',
] as const

const select = (db: Db) => db.selectFrom('recordings').select(COLUMNS)
type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

function toRecording(row: Row): StoredRecording {
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
    sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
    durationSeconds: row.duration_seconds,
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A recording of an organization by either of its ids. */
export async function readRecording(
  db: Db,
  organization: OrganizationId,
  ids: { id?: string | undefined; egressId?: string | undefined },
): Promise<StoredRecording | undefined> {
  const { id, egressId } = ids
  if (id !== undefined && !UUID.test(id)) return undefined
  const row = await select(db)
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
  /** Those that ended before are left out. */
  endedSince: Date
}

/** A page of an organization's recordings, newest first, and how many there are. */
export async function listOwnRecordings(
  db: Db,
  organization: OrganizationId,
  { room, zoneId, state, endedSince }: RecordingFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ recordings: StoredRecording[]; total: number }> {
  const wanted = db
    .selectFrom('recordings')
    .where('organization_id', '=', organization)
    .where((where) => where.or([where('ended_at', 'is', null), where('ended_at', '>', endedSince)]))
    .$if(room !== undefined, (query) => query.where('room_id', '=', room as string))
    .$if(zoneId !== undefined, (query) => query.where('zone_id', '=', zoneId as string))
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
  const row = await select(tx)
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && toRecording(row)
}

/** The recording, of whichever organization, that the media server knows by that id; locked. */
export async function lockRecordingOfEgress(tx: Tx, egressId: string): Promise<StoredRecording | undefined> {
  const row = await select(tx).where('egress_id', '=', egressId).forUpdate().executeTakeFirst()
  return row && toRecording(row)
}

/** The recording whose file that is, of whichever organization; locked. */
export async function lockRecordingOfFile(tx: Tx, fileKey: string): Promise<StoredRecording | undefined> {
  const row = await select(tx)
    .where('file_key', '=', fileKey)
    .where('egress_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row && toRecording(row)
}

/**
 * Recordings of a room that the media server has not named yet, newest first, locked: one that is starting, or those
 * given up in the meantime.
 */
export async function lockUnnamedRecordings(tx: Tx, room: RoomId, since: Date): Promise<StoredRecording[]> {
  const rows = await select(tx)
    .where('room_id', '=', room)
    .where('egress_id', 'is', null)
    .where('requested_at', '>', since)
    .where((where) => where.or([where('state', '=', 'starting'), where('presumed', '=', true)]))
    .orderBy('requested_at', 'desc')
    .forUpdate()
    .execute()
  return rows.map(toRecording)
}

export async function nameRecording(
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

/** The media server's name of a recording is no other's: whichever of all organizations has it loses it. */
export async function takeName(tx: Tx, egressId: string, recordingId: string): Promise<void> {
  await tx
    .updateTable('recordings')
    .set({ egress_id: null })
    .where('egress_id', '=', egressId)
    .where('id', '<>', recordingId)
    .execute()
}

/** Whether another recording than this one runs in its room. */
export async function isRoomTaken(tx: Tx, room: RoomId, besides: string): Promise<boolean> {
  const row = await tx
    .selectFrom('recordings')
    .select('id')
    .where('room_id', '=', room)
    .where('id', '<>', besides)
    .where('state', '=', sql<RecordingState>`any(${[...RUNNING_STATES]})`)
    .executeTakeFirst()
  return row !== undefined
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

/** @returns false where somebody else was faster */
export async function deleteRecordingRow(tx: Tx, organization: OrganizationId, id: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('recordings')
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Recordings of all organizations that run as far as we know. */
export async function listRunningRecordings(db: Db): Promise<StoredRecording[]> {
  const rows = await select(db)
    .where('state', '=', sql<RecordingState>`any(${[...RUNNING_STATES]})`)
    .orderBy('requested_at')
    .execute()
  return rows.map(toRecording)
}

/** Recordings of all organizations that we have given up since then, and that the media server may yet tell of. */
export async function listPresumedRecordings(db: Db, since: Date): Promise<StoredRecording[]> {
  const rows = await select(db).where('presumed', '=', true).where('ended_at', '>', since).execute()
  return rows.map(toRecording)
}

/** Which of these the media server's names belong to recordings that are over. */
export async function listEndedEgresses(db: Db, egressIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('recordings')
    .select('egress_id')
    .where('egress_id', '=', sql<string>`any(${egressIds})`)
    .where('ended_at', 'is not', null)
    .execute()
  return rows.flatMap(({ egress_id }) => (egress_id === null ? [] : [egress_id]))
}

/** Some recordings of all organizations that ended before then. */
export async function listRecordingsEndedBefore(
  db: Db,
  before: Date,
  limit: number,
): Promise<{ id: string; fileKey: string }[]> {
  return await db
    .selectFrom('recordings')
    .select(['id', 'file_key as fileKey'])
    .where('ended_at', '<', before)
    .orderBy('ended_at')
    .limit(limit)
    .execute()
}

export async function purgeRecordings(db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('recordings').where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
}

/** Which of these files belong to a recording that there is. */
export async function filesOfRecordings(db: Db, keys: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('recordings')
    .select('file_key')
    .where('file_key', '=', sql<string>`any(${keys})`)
    .execute()
  return rows.map(({ file_key }) => file_key)
}
