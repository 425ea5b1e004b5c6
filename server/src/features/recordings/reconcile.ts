import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { applyNews } from './provider-events.ts'
import { lockRecordingOfEgress, readFileKey } from './store-of-all.ts'

/** What another program tells of the end of a recording, checked. */
export interface RecordingEnd {
  egressId: string
  status: 'completed' | 'failed'
  fileUrl: string | undefined
  sizeBytes: number | undefined
  durationSeconds: number | undefined
  endedAt: Date | undefined
}

/**
 * Takes the end of a recording from the system that looks after its file: what they say is completed and not in our store lies
 * elsewhere. @returns false where there is no such recording @throws ProviderFailure
 */
export async function reconcileRecording(
  needs: { db: Db; clock: Clock; storage: Pick<ObjectStoragePort, 'find'> },
  end: RecordingEnd,
): Promise<boolean> {
  const fileKey = await readFileKey(needs.db, end.egressId)
  if (fileKey === undefined) return false
  const isHere = end.status === 'completed' && (await needs.storage.find(fileKey)) !== undefined
  return await transaction(needs.db, async (tx) => {
    const recording = await lockRecordingOfEgress(tx, end.egressId)
    if (!recording) return false
    const { status: state, fileUrl: fileLocation, sizeBytes, durationSeconds, endedAt } = end
    const failure = state === 'failed' ? 'reported by the reconciliation webhook' : undefined
    const stored = state === 'failed' ? undefined : isHere ? ('here' as const) : ('elsewhere' as const)
    const news = { state, fileLocation, sizeBytes, durationSeconds, endedAt, stored, failure }
    await applyNews(tx, recording, news, needs.clock.now())
    return true
  })
}
