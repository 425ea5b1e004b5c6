import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { ProviderFailure, Refusal } from '../../platform/refusal.ts'
import type { MediaPort } from '../../ports/media.ts'
import { findRoomEver } from '../rooms/reads.ts'
import { type ProviderEventNeeds, recordingChanged } from './provider-events.ts'
import { isRunning } from './rules.ts'
import { changeRecording, lockRecording, readRecording, type StoredRecording } from './store.ts'

interface Needs extends ProviderEventNeeds {
  media: Pick<MediaPort, 'stopRecording'>
}

/** Stops a recording. It is over only when the media server says so; asked again until then, it is stopped again. */
export async function stopRecording(
  needs: Needs,
  caller: CallerOf<'stopRecording'>,
  input: Input<'stopRecording'>,
): Promise<Reply<'stopRecording'>> {
  const { egressId } = input
  const { id: organization } = caller.organization
  const recording = await readRecording(needs.db, organization, { egressId })
  const room = await findRoomEver(needs.db, organization, input.roomName)
  if (!recording || recording.room !== room)
    throw Refusal.of('not-found', { message: 'There is no such recording in this room' })
  const now = needs.clock.now()
  if (await noteStop(needs, caller, recording, now)) await askToStop(needs, caller, egressId)
  return { status: 200, body: { egressId, timestamp: Math.floor(now.getTime() / 1_000) } }
}

/** What is written down is done: where the media server cannot be asked now, the sweeper asks it again. */
async function askToStop(
  needs: Needs,
  { requestId }: { requestId: string },
  egressId: string,
): Promise<void> {
  try {
    const stopped = await needs.media.stopRecording(egressId)
    if (stopped.outcome === 'stopping') await recordingChanged(needs, stopped.recording)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    needs.log.warn({ err: error, requestId }, 'a recording is stopped later')
  }
}

/** @returns whether there is something to stop */
function noteStop(
  needs: Needs,
  caller: CallerOf<'stopRecording'>,
  { id, room }: StoredRecording,
  now: Date,
): Promise<boolean> {
  const { id: organization } = caller.organization
  return transaction(needs.db, async (tx) => {
    const recording = await lockRecording(tx, organization, id)
    if (!recording || !isRunning(recording.state)) return false
    if (recording.state === 'stopping' && recording.stopRequestedAt) return true
    await changeRecording(tx, organization, id, { state: 'stopping', stopRequestedAt: now })
    await recordAudit(tx, organization, caller, now, {
      action: 'recording.stopped',
      target: { kind: 'recording', id },
      detail: { roomId: room, egressId: recording.egressId },
    })
    return true
  })
}
