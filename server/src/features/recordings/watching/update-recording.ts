import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { requireName } from '../../../directory/display-name.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { watchedRecording } from '../recording-access.ts'
import { viewOfRecording } from '../recording-view.ts'
import { noSuchRecording } from '../rules.ts'
import { lockRecording } from '../store.ts'
import { setAbout } from './about-store.ts'

interface Needs {
  db: Db
  clock: Clock
  recordingAccessDays: number
}

/** Gives a recording a name. The same one again changes nothing. */
export async function updateRecording(
  needs: Needs,
  caller: CallerOf<'updateRecording'>,
  input: Input<'updateRecording'>,
): Promise<Reply<'updateRecording'>> {
  const { id: organization } = caller.organization
  const name = requireName(input.name, 'name', { min: 1, max: 200, label: 'a name' })
  const { recording: found, ...seen } = await watchedRecording(needs, caller, input)
  const named = await transaction(needs.db, async (tx) => {
    const recording = await lockRecording(tx, organization, found.id)
    if (!recording || recording.name === name) return recording
    await setAbout(tx, organization, recording.id, { name })
    await recordAudit(tx, organization, caller, needs.clock.now(), {
      action: 'recording.named',
      target: { kind: 'recording', id: recording.id },
      detail: { roomId: recording.room },
    })
    return { ...recording, name }
  })
  if (!named) throw noSuchRecording()
  return { status: 200, body: viewOfRecording(named, seen) }
}
