import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { requireName } from '../../directory/display-name.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { Refusal } from '../../platform/refusal.ts'
import { accessDaysOf } from './recording-access.ts'
import { requireOneId, viewOfRecording } from './recording-view.ts'
import { setHold } from './removal/removal-store.ts'
import { noSuchRecording } from './rules.ts'
import { lockRecording, readRecording, type StoredRecording } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
  recordingAccessDays: number
}

/** Puts a recording under legal hold, so that nothing deletes it, or ends that. */
export async function holdRecording(
  needs: Needs,
  caller: CallerOf<'holdRecording'>,
  input: Input<'holdRecording'>,
): Promise<Reply<'holdRecording'>> {
  const { id: organization } = caller.organization
  const reason = input.reason === undefined ? undefined : requireReason(input.reason)
  const accessDays = await accessDaysOf(needs, organization)
  const found = await readRecording(needs.db, organization, requireOneId(input))
  const changed =
    found &&
    (await transaction(needs.db, (tx) =>
      change(tx, needs, caller, { id: found.id, hold: input.hold, reason }),
    ))
  if (!changed) throw noSuchRecording()
  return { status: 200, body: viewOfRecording(changed, { accessDays, mayHold: true }) }
}

function requireReason(text: string): string {
  return requireName(text, 'reason', { min: 1, max: 500, label: 'a reason' })
}

interface WantedHold {
  id: string
  hold: boolean
  reason: string | undefined
}

/** @returns the recording as it is then; undefined where it has gone meanwhile */
async function change(
  tx: Tx,
  { clock }: Needs,
  caller: CallerOf<'holdRecording'>,
  { id, hold, reason }: WantedHold,
): Promise<StoredRecording | undefined> {
  const { id: organization } = caller.organization
  const recording = await lockRecording(tx, organization, id)
  if (!recording) return undefined
  if (hold && recording.removalBeganAt) throw Refusal.of('recording-being-deleted')
  const now = clock.now()
  const heldAt = hold ? (recording.heldAt ?? now) : null
  const holdReason = hold ? (reason ?? recording.holdReason) : null
  await setHold(tx, organization, id, heldAt && { heldAt, reason: holdReason })
  const action = actionOf(recording, { hold, holdReason })
  if (action)
    await recordAudit(tx, organization, caller, now, {
      action,
      target: { kind: 'recording', id },
      detail: { roomId: recording.room },
    })
  return { ...recording, heldAt, holdReason }
}

/** Undefined: all is as it was. */
function actionOf(
  before: Pick<StoredRecording, 'heldAt' | 'holdReason'>,
  { hold, holdReason }: { hold: boolean; holdReason: string | null },
) {
  const wasHeld = before.heldAt !== null
  if (wasHeld !== hold) return hold ? 'recording.held' : 'recording.released'
  return before.holdReason === holdReason ? undefined : 'recording.hold-changed'
}
