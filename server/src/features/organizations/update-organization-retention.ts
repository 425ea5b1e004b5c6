import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { KnownCallers } from '../../access/sessions/known-callers.ts'
import { shortenSessions } from '../../access/sessions/session-retention.ts'
import {
  type DeploymentRetention,
  lockRetention,
  type OwnRetention,
  saveRetention,
} from '../../directory/retention.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { invalidInput } from '../../platform/refusal.ts'

interface Needs {
  db: Db
  clock: Clock
  retention: DeploymentRetention
  callers: Pick<KnownCallers, 'forget'>
}

/** Decides for how many days the active organization keeps what it has. */
export async function updateOrganizationRetention(
  needs: Needs,
  caller: CallerOf<'updateOrganizationRetention'>,
  input: Input<'updateOrganizationRetention'>,
): Promise<Reply<'updateOrganizationRetention'>> {
  const { id: organization, identityId } = caller.organization
  refuseOutOfBounds(input, needs.retention)
  const now = needs.clock.now()
  const own = await transaction(needs.db, async (tx) => {
    const before = await lockRetention(tx, organization, now)
    const after = { ...before, ...changesIn(input) }
    const detail = changesOf(before, after)
    if (Object.keys(detail).length === 0) return before
    await saveRetention(tx, organization, after)
    if (typeof detail.sessionDays === 'number')
      await shortenSessions(tx, organization, detail.sessionDays, now)
    await recordAudit(tx, organization, caller, now, {
      action: 'organization.retention-changed',
      target: { kind: 'organization', id: identityId },
      detail,
    })
    return after
  })
  // sessions may end sooner now
  needs.callers.forget(`organization:${organization}`)
  return { status: 200, body: { ...own, deployment: needs.retention } }
}

const FIELDS = [
  'chatDays',
  'auditDays',
  'recordingDays',
  'sessionDays',
] as const satisfies (keyof OwnRetention)[]

/** @throws Refusal invalid */
function refuseOutOfBounds(
  input: Input<'updateOrganizationRetention'>,
  deployment: DeploymentRetention,
): void {
  const problems = FIELDS.flatMap((field) => {
    const days = input[field]
    if (days === undefined || days === null) return []
    const most = deployment[field] ?? Number.POSITIVE_INFINITY
    const least = field === 'auditDays' ? Math.min(deployment.auditDaysMin, most) : 1
    if (days > most) return [{ field, message: `This office keeps it for at most ${inDays(most)}` }]
    if (days < least) return [{ field, message: `This office keeps it for at least ${inDays(least)}` }]
    return []
  })
  if (problems.length > 0) throw invalidInput(problems)
}

function inDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

function changesIn(input: Input<'updateOrganizationRetention'>): Partial<OwnRetention> {
  return Object.fromEntries(
    FIELDS.flatMap((field) => (input[field] === undefined ? [] : [[field, input[field]]])),
  )
}

/** What is another number now: of each the one from now on. */
function changesOf(before: OwnRetention, after: OwnRetention): Record<string, number | null> {
  return Object.fromEntries(
    FIELDS.filter((field) => before[field] !== after[field]).map((field) => [field, after[field]]),
  )
}
