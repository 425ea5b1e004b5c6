import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { roleHolds } from '../../access/permissions.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { requireOneId } from './recording-view.ts'
import { finishRemovals } from './removal/removal.ts'
import { beginRemoval } from './removal/removal-store.ts'
import { isRunning, noSuchRecording } from './rules.ts'
import { lockRecording, readRecording, type StoredRecording } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'remove'>
}

/** Deletes a recording with its file: one's own, or any for moderators and admins. */
export async function deleteRecording(
  needs: Needs,
  caller: CallerOf<'deleteRecording'>,
  input: Input<'deleteRecording'>,
): Promise<Reply<'deleteRecording'>> {
  const { id: organization } = caller.organization
  const recording = await readRecording(needs.db, organization, requireOneId(input))
  if (!recording) throw noSuchRecording()
  if (!mayDelete(caller, recording))
    throw Refusal.of('role-not-allowed', {
      message: 'Only whoever started it, a moderator or an admin may delete it',
    })
  refuseRunningOrHeld(recording)
  if (!(await begin(needs, caller, recording))) throw noSuchRecording()
  await finishRemovals(needs, [{ id: recording.id, organization, fileKey: recording.fileKey }])
  return { status: 200, body: { code: 200, message: 'Deleted' } }
}

/**
 * Marks the recording first, so that no legal hold begins while the file is deleted, and writes the audit entry: from
 * then on nothing brings the recording back, whatever goes wrong.
 * @returns false where it has gone meanwhile
 */
async function begin(
  { db, clock }: Needs,
  caller: CallerOf<'deleteRecording'>,
  { id }: StoredRecording,
): Promise<boolean> {
  const { id: organization } = caller.organization
  return await transaction(db, async (tx) => {
    const recording = await lockRecording(tx, organization, id)
    if (!recording) return false
    // one that was given up may have been heard of meanwhile
    refuseRunningOrHeld(recording)
    // a member tries again what went wrong, or its time is over
    if (recording.removalBeganAt) return true
    const now = clock.now()
    await beginRemoval(tx, organization, id, now)
    await recordAudit(tx, organization, caller, now, {
      action: 'recording.deleted',
      target: { kind: 'recording', id },
      detail: { roomId: recording.room, startedBy: recording.startedBy },
    })
    return true
  })
}

function refuseRunningOrHeld({ state, heldAt }: StoredRecording): void {
  if (isRunning(state)) throw Refusal.of('recording-not-finished', { message: 'Stop this recording first' })
  if (heldAt) throw Refusal.of('legal-hold')
}

function mayDelete(caller: CallerOf<'deleteRecording'>, { startedBy }: StoredRecording): boolean {
  if (!('user' in caller)) return true
  return startedBy === caller.user.id || roleHolds(caller.organization.role, 'DeleteAnyRecording')
}
