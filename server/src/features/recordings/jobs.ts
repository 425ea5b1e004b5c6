import type { Job } from '../../platform/background/jobs.ts'
import { type Clock, DAY_SECONDS, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import type { MediaPort, MediaRecording } from '../../ports/media.ts'
import { recordingChanged } from './provider-events.ts'
import { judgeSilence } from './rules.ts'
import { changeRecording, type StoredRecording } from './store.ts'
import { listEndedEgresses, listPresumedRecordings, listRunningRecordings } from './store-of-all.ts'

export interface SweepNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn'>
  media: Pick<MediaPort, 'recordings' | 'stopRecording'>
}

const SWEEP_EVERY_MS = 10_000
/** The media server forgets what has ended after a day. */
const PRESUMED_SECONDS = DAY_SECONDS
/** A stop is told again where the recorder has not heard it after so long. */
const STOP_AGAIN_SECONDS = 20

/**
 * Sets what we believe against what the media server lists: events get lost, answers too, and recorders die. Asks
 * nothing while nothing is open. `MEDIA_SWEEP_SECONDS` is of the metrics, not of this: a start of which nothing is
 * heard must end after two minutes, or its room could never be recorded again.
 */
export function sweepRecordingsJob(needs: SweepNeeds): Job {
  return {
    name: 'sweep-recordings',
    everyMs: SWEEP_EVERY_MS,
    async run(signal) {
      const since = secondsAfter(needs.clock.now(), -PRESUMED_SECONDS)
      const [before, presumed] = [
        await listRunningRecordings(needs.db),
        await listPresumedRecordings(needs.db, since),
      ]
      if (before.length + presumed.length === 0) return
      const listed = await needs.media.recordings().catch((error: unknown) => {
        needs.log.warn({ err: error }, 'recordings could not be compared with the media server')
        return undefined
      })
      for (const report of listed ?? []) {
        if (signal.aborted) return
        await recordingChanged(needs, report)
      }
      await stopStrays(needs, listed ?? [])
      for (const recording of await listRunningRecordings(needs.db)) {
        if (signal.aborted) return
        await settle(needs, recording, listed)
      }
    },
  }
}

const OVER: readonly MediaRecording['progress'][] = ['complete', 'failed', 'aborted', 'limit_reached']

/** What one silent recording comes to. */
async function settle(
  needs: SweepNeeds,
  recording: StoredRecording,
  listed: readonly MediaRecording[] | undefined,
): Promise<void> {
  const now = needs.clock.now()
  const found = listed?.find(({ egressId }) => egressId === recording.egressId)
  const sight = listed === undefined ? 'no-list' : found ? 'in-list' : 'not-in-list'
  const verdict = judgeSilence(recording, sight, now)
  const { organization, id } = recording
  if (verdict === 'missing' && recording.missingSince === null)
    await changeRecording(needs.db, organization, id, { missingSince: now })
  if (verdict === 'give-up') {
    const failure = sight === 'in-list' ? 'it neither starts nor ends' : 'the media server does not know it'
    needs.log.warn({ recording: id, egress: recording.egressId, sight }, 'a recording was given up')
    await changeRecording(needs.db, organization, id, {
      state: 'failed',
      presumed: true,
      endedAt: now,
      failure,
      // one that is there is stopped, and not taken for running again
      ...(sight === 'in-list' && recording.stopRequestedAt === null ? { stopRequestedAt: now } : {}),
    })
  }
  const { stopRequestedAt } = recording
  const isDue = stopRequestedAt !== null && secondsAfter(stopRequestedAt, STOP_AGAIN_SECONDS) <= now
  if (found && ['starting', 'active'].includes(found.progress) && isDue) await stop(needs, found.egressId)
}

/** Recordings that go on at the media server although they are over for us. */
async function stopStrays(needs: SweepNeeds, listed: readonly MediaRecording[]): Promise<void> {
  const running = listed.filter(({ progress }) => !OVER.includes(progress) && progress !== 'ending')
  if (running.length === 0) return
  const ids = running.map(({ egressId }) => egressId)
  for (const egressId of await listEndedEgresses(needs.db, ids)) await stop(needs, egressId)
}

async function stop(needs: SweepNeeds, egressId: string): Promise<void> {
  try {
    await needs.media.stopRecording(egressId)
  } catch (error) {
    needs.log.warn({ err: error, egress: egressId }, 'a recording could not be stopped')
  }
}
