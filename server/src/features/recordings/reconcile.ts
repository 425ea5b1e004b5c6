import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { applyNews } from './provider-events.ts'
import { lockRecordingOfEgress } from './store-of-all.ts'

/** What another program tells of the end of a recording, checked. */
export interface RecordingEnd {
  egressId: string
  status: 'completed' | 'failed'
  fileUrl: string | undefined
  sizeBytes: number | undefined
  durationSeconds: number | undefined
  endedAt: Date | undefined
}

/** Takes the end of a recording from whoever looks after its file. @returns false where there is no such recording */
export async function reconcileRecording(
  needs: { db: Db; clock: Clock },
  end: RecordingEnd,
): Promise<boolean> {
  return await transaction(needs.db, async (tx) => {
    const recording = await lockRecordingOfEgress(tx, end.egressId)
    if (!recording) return false
    const { status: state, fileUrl: fileLocation, sizeBytes, durationSeconds, endedAt } = end
    const failure = state === 'failed' ? 'reported by the reconciliation webhook' : undefined
    const news = { state, fileLocation, sizeBytes, durationSeconds, endedAt, failure }
    await applyNews(tx, recording, news, needs.clock.now())
    return true
  })
}
