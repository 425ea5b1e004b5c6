import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { type Clock, DAY_SECONDS, secondsAfter } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { requireFinished, watchedRecording } from '../recording-access.ts'
import { noSuchRecording } from '../rules.ts'
import { lockRecording } from '../store.ts'
import { setAbout } from './about-store.ts'

interface Needs {
  db: Db
  clock: Clock
  recordingAccessDays: number
  frontendUrl: string
}

/**
 * Lets every member watch a recording for some days. The address holds no secret: it opens for
 * members who are signed in.
 */
export async function shareRecording(
  needs: Needs,
  caller: CallerOf<'shareRecording'>,
  input: Input<'shareRecording'>,
): Promise<Reply<'shareRecording'>> {
  const { id: organization } = caller.organization
  const { recording: found } = await watchedRecording(needs, caller, input)
  requireFinished(found)
  const now = needs.clock.now()
  const sharedUntil = input.days === 0 ? null : secondsAfter(now, input.days * DAY_SECONDS)
  await transaction(needs.db, async (tx) => {
    const recording = await lockRecording(tx, organization, found.id)
    if (!recording) throw noSuchRecording()
    if (sharedUntil === null && recording.sharedUntil === null) return
    await setAbout(tx, organization, recording.id, { sharedUntil })
    await recordAudit(tx, organization, caller, now, {
      action: sharedUntil ? 'recording.shared' : 'recording.unshared',
      target: { kind: 'recording', id: recording.id },
      detail: { roomId: recording.room, ...(sharedUntil && { until: sharedUntil.toISOString() }) },
    })
  })
  return { status: 200, body: { url: `${needs.frontendUrl}/recordings/${found.id}` } }
}
