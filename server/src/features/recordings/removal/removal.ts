import { randomUUID } from 'node:crypto'
import { findOrganizationById } from '../../../directory/organizations.ts'
import { appendEvents } from '../../../platform/background/outbox.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import type { OrganizationId } from '../../../platform/ids.ts'
import type { ObjectStoragePort } from '../../../ports/object-storage.ts'
import { speechKeyOf } from '../transcript/speech-key.ts'
import { deleteRecordingRows, type LeavingRecording, type RemovedRecording } from './removal-store.ts'

export interface RemovalNeeds {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'remove'>
}

/**
 * Ends removals that have begun: the files first, so that none is left without a row. Where that goes wrong
 * it is unknown whether a file is still there: the recording stays marked, and `purge-recordings` tries again.
 * @throws ProviderFailure where one of the files cannot be removed: nothing was ended then
 */
export async function finishRemovals(
  { db, clock, storage }: RemovalNeeds,
  leaving: readonly LeavingRecording[],
): Promise<void> {
  await storage.remove(leaving.flatMap(({ fileKey }) => [fileKey, speechKeyOf(fileKey)]))
  for (const [organization, recordings] of Map.groupBy(leaving, (one) => one.organization))
    await deleteRows({ db, clock }, organization, recordings)
}

/** Everybody who sees a list of them hears of it, whatever deletes them. */
async function deleteRows(
  { db, clock }: Pick<RemovalNeeds, 'db' | 'clock'>,
  organization: OrganizationId,
  recordings: readonly LeavingRecording[],
): Promise<void> {
  const ids = recordings.map(({ id }) => id)
  await transaction(db, async (tx) => {
    const removed = await deleteRecordingRows(tx, organization, ids)
    // a deleted one has no member to hear it
    const found = await findOrganizationById(tx, organization)
    if (!found) return
    const now = clock.now()
    await appendEvents(
      tx,
      found.identityId,
      removed.map((one) => deletionOf(one, now)),
    )
  })
}

function deletionOf({ id, egressId, room }: RemovedRecording, time: Date) {
  return {
    id: randomUUID(),
    type: 'recording.deleted' as const,
    time,
    data: { recordingId: id, ...(egressId === null ? {} : { egressId }), roomId: room },
    to: { scope: 'organization' as const },
    orderingKey: `room:${room}`,
  }
}
