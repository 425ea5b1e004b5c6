import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { parseRoomId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { MediaRecording } from '../../ports/media.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { fileKeyTold } from './film-file.ts'
import { isRunning, judgeNews, type RecordingNews, type RecordingState } from './rules.ts'
import { changeRecording, type StoredRecording, setEgressId } from './store.ts'
import {
  isRoomTaken,
  lockRecordingOfEgress,
  lockRecordingOfFile,
  lockRecordingsWithoutEgressId,
  readRecordingOfEgress,
} from './store-of-all.ts'
import { findChapters } from './watching/chapters.ts'

export interface ProviderEventNeeds {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'find'>
  log: Pick<Log, 'warn'>
}

/** What the media server tells of a recording, in an event or in its list. */
export type RecordingReport = Pick<
  MediaRecording,
  'egressId' | 'room' | 'progress' | 'startedAt' | 'endedAt' | 'updatedAt' | 'error' | 'file'
>

/** A recording that the media server began more than this apart from our start is not that start. */
const SAME_START_SECONDS = 5 * 60
const FAILURE_LENGTH_MAX = 500
/** A file that is not in our store so long after its recording was over lies somewhere else. */
const FILE_WITHIN_SECONDS = 60

/** What a look into our store has shown: `unknown` where it does not answer. */
type Sight = 'here' | 'absent' | 'unknown'

/**
 * Takes what the media server tells of a recording: once or often, early, late, in any order. One is completed once its
 * file was found in our store, or the recorder says that it lies elsewhere; until then it is `stopping`, and the sweep
 * looks again.
 * @returns false where it is no recording of ours
 */
export async function recordingChanged(needs: ProviderEventNeeds, report: RecordingReport): Promise<boolean> {
  if (report.egressId === '') return false
  const taken = await takeReport(needs, report, undefined)
  if (typeof taken === 'boolean') return taken
  const sight = await lookFor(needs, taken.fileKey)
  const isOurs = (await takeReport(needs, report, sight)) === true
  const recording = await readRecordingOfEgress(needs.db, report.egressId)
  if (recording?.state === 'completed' && recording.chapters === null) await findChapters(needs, recording)
  return isOurs
}

/** @returns false where it is no recording of ours, the key of its file where that has to be looked for before */
async function takeReport(
  { db, clock }: ProviderEventNeeds,
  report: RecordingReport,
  sight: Sight | undefined,
): Promise<boolean | { fileKey: string }> {
  return await transaction(db, async (tx) => {
    const now = clock.now()
    const recording = await lockReported(tx, report, now)
    if (!recording) return false
    const fileKey = fileKeyTold(recording.fileKey, report.file?.key)
    const news = { ...newsOf(report, sight ?? 'unknown', now), fileKey }
    const isOpen = isRunning(recording.state) || recording.presumed
    if (isOpen && sight === undefined && isOfFile(report)) return { fileKey }
    await setEgressId(tx, recording.organization, recording.id, report.egressId)
    await applyNews(tx, recording, news, now)
    return true
  })
}

/** Not while anything is locked: the store may take its time. */
async function lookFor({ storage, log }: ProviderEventNeeds, fileKey: string): Promise<Sight> {
  try {
    return (await storage.find(fileKey)) ? 'here' : 'absent'
  } catch (err) {
    log.warn({ err }, 'the file of a recording is looked for again later')
    return 'unknown'
  }
}

/** Writes down what news change of a locked recording. */
export async function applyNews(
  tx: Tx,
  recording: StoredRecording,
  news: RecordingNews,
  now: Date,
): Promise<void> {
  const change = judgeNews(recording, news, now)
  const revives = !isRunning(recording.state) && change.state !== undefined && isRunning(change.state)
  // Another one has been started since: only one can be shown as running. The sweeper stops the older, as it stops one
  // whose file is on its way out.
  if (revives && (recording.removalBeganAt || (await isRoomTaken(tx, recording.room, recording.id)))) return
  const isSeen = recording.missingSince === null ? {} : { missingSince: null }
  await changeRecording(tx, recording.organization, recording.id, { ...change, ...isSeen })
}

async function lockReported(
  tx: Tx,
  report: RecordingReport,
  now: Date,
): Promise<StoredRecording | undefined> {
  const named = await lockRecordingOfEgress(tx, report.egressId)
  if (named) return named
  const ofFile = report.file && (await lockRecordingOfFile(tx, report.file.key))
  if (ofFile) return ofFile
  // The event of a start can be here before the answer to it, or instead of one that was lost.
  const room = parseRoomId(report.room)
  if (!room) return undefined
  const began = report.startedAt ?? report.updatedAt ?? now
  const apart = ({ requestedAt }: StoredRecording) => Math.abs(requestedAt.getTime() - began.getTime())
  const unnamed = await lockRecordingsWithoutEgressId(tx, room, secondsAfter(began, -SAME_START_SECONDS))
  const [closest] = unnamed.sort((one, other) => apart(one) - apart(other))
  return closest && apart(closest) <= SAME_START_SECONDS * 1_000 ? closest : undefined
}

const STATE_OF: Record<MediaRecording['progress'], RecordingState> = {
  starting: 'starting',
  active: 'active',
  ending: 'stopping',
  complete: 'completed',
  limit_reached: 'completed',
  failed: 'failed',
  aborted: 'aborted',
}

/** It says that there is a file in our store. */
function isOfFile({ progress, file }: RecordingReport): boolean {
  return STATE_OF[progress] === 'completed' && file !== undefined && file.sizeBytes > 0 && !file.isElsewhere
}

function newsOf(report: RecordingReport, sight: Sight, now: Date): RecordingNews {
  const { startedAt, endedAt, file } = report
  const state = STATE_OF[report.progress]
  const times = { startedAt, endedAt }
  const failure = report.error?.slice(0, FAILURE_LENGTH_MAX)
  if (state !== 'completed') return { state, ...times, failure }
  // it says that all went well, and there is nothing
  if (!file || file.sizeBytes === 0) return { state: 'failed', ...times, failure: failure ?? 'no file' }
  const isLate = secondsAfter(endedAt ?? report.updatedAt ?? now, FILE_WITHIN_SECONDS) <= now
  const isElsewhere = file.isElsewhere || (sight === 'absent' && isLate)
  if (!isElsewhere && sight !== 'here') return { state: 'stopping', startedAt }
  return {
    state,
    ...times,
    stored: isElsewhere ? 'elsewhere' : 'here',
    sizeBytes: file.sizeBytes,
    durationSeconds: file.durationSeconds,
    fileLocation: file.location,
  }
}
