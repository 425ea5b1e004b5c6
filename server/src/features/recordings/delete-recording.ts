import { randomUUID } from 'node:crypto'
import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { roleHolds } from '../../access/permissions.ts'
import { appendEvent } from '../../platform/background/outbox.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { OrganizationId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { requireOneId } from './recording-view.ts'
import { beginRemoval, deleteRecordingRow, giveUpRemoval } from './removal-store.ts'
import { isRunning } from './rules.ts'
import { readRecording, type StoredRecording } from './store.ts'

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
    throw new Refusal('forbidden', 'Only whoever started it, a moderator or an admin may delete it', {
      error: 'role-not-allowed',
    })
  if (isRunning(recording.state))
    throw new Refusal('conflict', 'Stop this recording first', { error: 'recording-not-finished' })
  if (recording.heldAt) throw held()
  // said first, so that no legal hold begins while the file goes
  if (!(await beginRemoval(needs.db, organization, recording.id, needs.clock.now())))
    throw await whyNot(needs.db, organization, recording.id)
  await remove(needs, caller, recording)
  return { status: 200, body: { code: 200, message: 'Deleted' } }
}

/** The file before the row: where that fails, the recording is still there to be deleted. */
async function remove(
  { db, clock, storage }: Needs,
  caller: CallerOf<'deleteRecording'>,
  recording: StoredRecording,
): Promise<void> {
  const { id: organization } = caller.organization
  try {
    await storage.remove([recording.fileKey])
    await transaction(db, async (tx) => {
      if (!(await deleteRecordingRow(tx, organization, recording.id))) return
      const now = clock.now()
      await announceDeletion(tx, caller, recording, now)
      await recordAudit(tx, organization, caller, now, {
        action: 'recording.deleted',
        target: { kind: 'recording', id: recording.id },
        detail: { roomId: recording.room, startedBy: recording.startedBy },
      })
    })
  } catch (error) {
    await giveUpRemoval(db, organization, recording.id)
    throw error
  }
}

async function whyNot(db: Db, organization: OrganizationId, id: string): Promise<Refusal> {
  return (await readRecording(db, organization, { id })) ? held() : noSuchRecording()
}

function held(): Refusal {
  return new Refusal(
    'conflict',
    'This recording is under legal hold; an administrator has to end that first',
    {
      error: 'legal-hold',
    },
  )
}

function noSuchRecording(): Refusal {
  return new Refusal('not-found', 'There is no such recording')
}

async function announceDeletion(
  tx: Tx,
  { organization }: CallerOf<'deleteRecording'>,
  { id, egressId, room }: StoredRecording,
  now: Date,
): Promise<void> {
  await appendEvent(tx, organization.identityId, {
    id: randomUUID(),
    type: 'recording.deleted',
    time: now,
    data: { recordingId: id, ...(egressId === null ? {} : { egressId }), roomId: room },
    to: { scope: 'organization' },
    orderingKey: `room:${room}`,
  })
}

function mayDelete(caller: CallerOf<'deleteRecording'>, { startedBy }: StoredRecording): boolean {
  if (!('user' in caller)) return true
  return startedBy === caller.user.id || roleHolds(caller.organization.role, 'DeleteAnyRecording')
}
