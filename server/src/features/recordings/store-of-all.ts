import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { RoomId } from '../../platform/ids.ts'
import { RUNNING_STATES } from './rules.ts'
import { holdRoomForRecording, type StoredRecording, selectRecordings, toRecording } from './store.ts'

/** Recordings of whichever organization: for what the media server tells, and for jobs. */

/** As the index `recordings_running` has it: PostgreSQL finds no index by what comes as a parameter. */
const isRunning = sql<boolean>`state in (${sql.join(RUNNING_STATES.map((state) => sql.lit(state)))})`

/** Until this transaction ends no other transaction gives a recording that egress id. */
async function lockEgressId(tx: Tx, egressId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`recording ${egressId}`}, 0))`.execute(tx)
}

/** The recording, of whichever organization, that has an egress id; locked, as is the id. */
export async function lockRecordingOfEgress(tx: Tx, egressId: string): Promise<StoredRecording | undefined> {
  await lockEgressId(tx, egressId)
  const row = await selectRecordings(tx).where('egress_id', '=', egressId).forUpdate().executeTakeFirst()
  return row && toRecording(row)
}

/** The recording that the media server calls so, of whichever organization. */
export async function readRecordingOfEgress(db: Db, egressId: string): Promise<StoredRecording | undefined> {
  const row = await selectRecordings(db).where('egress_id', '=', egressId).executeTakeFirst()
  return row && toRecording(row)
}

/** Where the file of a recording is to lie, of whichever organization. */
export async function readFileKey(db: Db, egressId: string): Promise<string | undefined> {
  return (await readRecordingOfEgress(db, egressId))?.fileKey
}

/** The recording of a file, in any organization; locked. */
export async function lockRecordingOfFile(tx: Tx, fileKey: string): Promise<StoredRecording | undefined> {
  const row = await selectRecordings(tx)
    .where('file_key', '=', fileKey)
    .where('egress_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row && toRecording(row)
}

/**
 * Recordings of a room whose egress id is not known yet, newest first, locked: one that is starting, or those given up
 * in the meantime.
 */
export async function lockRecordingsWithoutEgressId(
  tx: Tx,
  room: RoomId,
  since: Date,
): Promise<StoredRecording[]> {
  const rows = await selectRecordings(tx)
    .where('room_id', '=', room)
    .where('egress_id', 'is', null)
    .where('requested_at', '>', since)
    .where((where) => where.or([where('state', '=', 'starting'), where('presumed', '=', true)]))
    .orderBy('requested_at', 'desc')
    .forUpdate()
    .execute()
  return rows.map(toRecording)
}

/** An egress id belongs to one recording: whichever other one of all organizations has it loses it. */
export async function takeEgressId(tx: Tx, egressId: string, recordingId: string): Promise<void> {
  // an event of the same recording may be about to give it to another
  await lockEgressId(tx, egressId)
  await tx
    .updateTable('recordings')
    .set({ egress_id: null })
    .where('egress_id', '=', egressId)
    .where('id', '<>', recordingId)
    .execute()
}

/** Whether another recording than this one runs in its room. Until the transaction ends none begins to. */
export async function isRoomTaken(tx: Tx, room: RoomId, besides: string): Promise<boolean> {
  await holdRoomForRecording(tx, room)
  const row = await tx
    .selectFrom('recordings')
    .select('id')
    .where('room_id', '=', room)
    .where('id', '<>', besides)
    .where(isRunning)
    .executeTakeFirst()
  return row !== undefined
}

/** Recordings of all organizations that run as far as we know. */
export async function listRunningRecordings(db: Db): Promise<StoredRecording[]> {
  const rows = await selectRecordings(db).where(isRunning).orderBy('requested_at').execute()
  return rows.map(toRecording)
}

/** Recordings of all organizations that we have given up since then, and that the media server may yet tell of. */
export async function listPresumedRecordings(db: Db, since: Date): Promise<StoredRecording[]> {
  const rows = await selectRecordings(db)
    .where(sql<boolean>`presumed`)
    .where('ended_at', '>', since)
    .execute()
  return rows.map(toRecording)
}

/** Which of these egress ids belong to recordings that are over. */
export async function listEndedEgresses(db: Db, egressIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('recordings')
    .select('egress_id')
    .where('egress_id', '=', sql<string>`any(${egressIds})`)
    .where('ended_at', 'is not', null)
    .execute()
  return rows.flatMap(({ egress_id }) => (egress_id === null ? [] : [egress_id]))
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

/** Where the file of a recording lies. */
export interface RecordingFile {
  id: string
  organization: string
  key: string
  /** Null where it is not known. */
  sizeBytes: string | null
}

const FILES_PAGE = 1_000

/** The files of all recordings that came to an end with one, by id, a page at a time. */
export async function* listRecordingFiles(db: Db): AsyncGenerator<RecordingFile> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await db
      .selectFrom('recordings')
      .select(['id', 'organization_id as organization', 'file_key as key', 'size_bytes as sizeBytes'])
      .where('state', '=', 'completed')
      .where('id', '>', after)
      .orderBy('id')
      .limit(FILES_PAGE)
      .execute()
    yield* rows
    after = rows.at(-1)?.id ?? after
    if (rows.length < FILES_PAGE) return
  }
}
