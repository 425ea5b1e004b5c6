import type { MemberCaller, TokenCaller } from '../../access/caller.ts'
import { roleHolds } from '../../access/permissions.ts'
import { readRetention } from '../../directory/retention.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId } from '../../platform/ids.ts'

/** For how many days after its end a recording can be seen: no longer than the organization keeps it. */
export async function accessDaysOf(
  { db, recordingAccessDays }: { db: Db; recordingAccessDays: number },
  organization: OrganizationId,
): Promise<number> {
  const { recordingDays } = await readRetention(db, organization)
  return Math.min(recordingAccessDays, recordingDays ?? recordingAccessDays)
}

/** Whether somebody may hold recordings, and see those that are held after their time. A program may not. */
export function mayHoldRecordings(caller: MemberCaller | TokenCaller): boolean {
  return 'user' in caller && roleHolds(caller.organization.role, 'HoldRecording')
}
