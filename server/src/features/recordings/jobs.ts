import type { Job } from '../../platform/background/jobs.ts'
import { DAY_SECONDS, secondsAfter } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { MediaPort, MediaRecording } from '../../ports/media.ts'
import { type ProviderEventNeeds, recordingChanged } from './provider-events.ts'
import { isRunning, judgeSilence } from './rules.ts'
import { changeRecording, lockRecording, type StoredRecording } from './store.ts'
import { listEndedEgresses, listPresumedRecordings, listRunningRecordings } from './store-of-all.ts'

export interface SweepNeeds extends ProviderEventNeeds {
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

type Sight = Parameters<typeof judgeSilence>[1]

/** What one silent recording comes to. */
async function settle(
  needs: SweepNeeds,
  recording: StoredRecording,
  listed: readonly MediaRecording[] | undefined,
): Promise<void> {
  const now = needs.clock.now()
  const found = listed?.find(({ egressId }) => egressId === recording.egressId)
  const sight = listed === undefined ? 'no-list' : found ? 'in-list' : 'not-in-list'
  if (await transaction(needs.db, (tx) => noteSilence(tx, recording, sight, now)))
    needs.log.warn({ recording: recording.id, egress: recording.egressId, sight }, 'a recording was given up')
  const { stopRequestedAt } = recording
  const isDue = stopRequestedAt !== null && secondsAfter(stopRequestedAt, STOP_AGAIN_SECONDS) <= now
  if (found && ['starting', 'active'].includes(found.progress) && isDue) await stop(needs, found.egressId)
}

/** Others may have taken long, and an event may have told more of it meanwhile. @returns whether it was given up */
async function noteSilence(
  tx: Tx,
  { organization, id, egressId }: StoredRecording,
  sight: Sight,
  now: Date,
): Promise<boolean> {
  const recording = await lockRecording(tx, organization, id)
  if (!recording || !isRunning(recording.state) || recording.egressId !== egressId) return false
  const verdict = judgeSilence(recording, sight, now)
  if (verdict === 'missing' && recording.missingSince === null)
    await changeRecording(tx, organization, id, { missingSince: now })
  if (verdict !== 'give-up') return false
  await changeRecording(tx, organization, id, {
    state: 'failed',
    presumed: true,
    endedAt: now,
    failure: sight === 'in-list' ? 'it neither starts nor ends' : 'the media server does not know it',
    // one that is there is stopped, and not taken for running again
    ...(sight === 'in-list' && recording.stopRequestedAt === null ? { stopRequestedAt: now } : {}),
  })
  return true
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
