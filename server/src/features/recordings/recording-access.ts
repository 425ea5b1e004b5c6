import type { MemberCaller, TokenCaller } from '../../access/caller.ts'
import { roleHolds } from '../../access/permissions.ts'
import { readRetention } from '../../directory/retention.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { accessUntil, type EitherId, requireOneId } from './recording-view.ts'
import { isRunning, noSuchRecording } from './rules.ts'
import { readRecording, type StoredRecording } from './store.ts'

/** For how many days after its end a recording can be seen: no longer than the organization keeps it. */
export async function accessDaysOf(
  { db, recordingAccessDays }: { db: Db; recordingAccessDays: number },
  organization: OrganizationId,
): Promise<number> {
  const { recordingDays } = await readRetention(db, organization)
  return Math.min(recordingAccessDays, recordingDays ?? recordingAccessDays)
}

/** Whether a caller may hold recordings, and see those that are held after their time. A program may not. */
export function mayHoldRecordings(caller: MemberCaller | TokenCaller): boolean {
  return 'user' in caller && roleHolds(caller.organization.role, 'HoldRecording')
}

/**
 * A recording of the caller's organization, with what decides how it is shown.
 * @throws Refusal not-found, recording-expired; role-not-allowed where the role records nothing and it is not shared
 */
export async function watchedRecording(
  needs: { db: Db; clock: Clock; recordingAccessDays: number },
  caller: MemberCaller | TokenCaller,
  ids: EitherId,
): Promise<{ recording: StoredRecording; accessDays: number; mayHold: boolean }> {
  const { id: organization } = caller.organization
  const now = needs.clock.now()
  const recording = await readRecording(needs.db, organization, requireOneId(ids))
  if (!mayRecord(caller) && !isShared(recording, now)) throw Refusal.of('role-not-allowed')
  if (!recording) throw noSuchRecording()
  const accessDays = await accessDaysOf(needs, organization)
  const mayHold = mayHoldRecordings(caller)
  const until = accessUntil(recording, accessDays)
  const isHeldForThem = mayHold && recording.heldAt !== null
  if (until && until <= now && !isHeldForThem) throw Refusal.of('recording-expired')
  return { recording, accessDays, mayHold }
}

/** @throws Refusal recording-not-finished, recording-without-file */
export function requireFinished({ state }: StoredRecording): void {
  if (isRunning(state)) throw Refusal.of('recording-not-finished')
  if (state !== 'completed') throw Refusal.of('recording-without-file')
}

function mayRecord(caller: MemberCaller | TokenCaller): boolean {
  return !('user' in caller) || roleHolds(caller.organization.role, 'RecordRoom')
}

function isShared(recording: StoredRecording | undefined, now: Date): boolean {
  return recording?.sharedUntil != null && recording.sharedUntil > now
}
