import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { requireReachOfAll } from '../../access/sessions/sign-on-reach.ts'
import { requireName } from '../../directory/display-name.ts'
import { listActiveMemberships } from '../../directory/members/memberships.ts'
import { renameUser, setCalendarStatus, setTimeZone } from '../../directory/users.ts'
import type { Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { nameSentence } from '../../platform/http/input/input-sentences.ts'
import { invalidInput, Refusal } from '../../platform/refusal.ts'
import { isTimeZone, spelledZone, TIME_ZONE_SENTENCE } from '../../platform/zoned-time.ts'
import { offersCalendarStatus, readUser, type UserViewNeeds } from './user-view.ts'

const DISPLAY_NAME_LENGTHS = { min: 2, max: 100 }

/** Changes the name and the clock that others see, and whether meetings show in one's status. */
export async function updateProfile(
  needs: UserViewNeeds,
  caller: CallerOf<'updateProfile'>,
  input: Input<'updateProfile'>,
): Promise<Reply<'updateProfile'>> {
  const { calendarStatus } = input
  if (input.displayName === undefined && calendarStatus === undefined && input.timeZone === undefined) {
    const message = nameSentence({ ...DISPLAY_NAME_LENGTHS, label: 'a display name' })
    throw invalidInput([{ field: 'displayName', message }])
  }
  const displayName =
    input.displayName === undefined
      ? undefined
      : requireName(input.displayName, 'displayName', DISPLAY_NAME_LENGTHS)
  if (calendarStatus === 'on' && !offersCalendarStatus(needs))
    throw Refusal.of('calendar-disabled', { message: 'Calendars do not show in statuses here' })
  const timeZone = typeof input.timeZone === 'string' ? requireZone(input.timeZone) : input.timeZone
  if (displayName !== undefined || timeZone !== undefined) await requireReachOfAll(needs.db, caller)
  const now = needs.clock.now()
  const body = await transaction(needs.db, async (tx) => {
    if (calendarStatus !== undefined)
      await setCalendarStatus(tx, caller.user.id, calendarStatus === 'on', now)
    if (timeZone !== undefined) await setTimeZone(tx, caller.user.id, timeZone, now)
    if (displayName !== undefined && (await renameUser(tx, caller.user.id, displayName, now)))
      await recordInOrganizations(tx, caller, displayName, now)
    return await readUser({ ...needs, db: tx }, caller)
  })
  return { status: 200, body }
}

/** A zone as the database of zones spells it. */
function requireZone(name: string): string {
  if (!isTimeZone(name)) throw invalidInput([{ field: 'timeZone', message: TIME_ZONE_SENTENCE }])
  return spelledZone(name)
}

/** Their name is seen in every organization they are in. */
async function recordInOrganizations(
  tx: Tx,
  caller: CallerOf<'updateProfile'>,
  displayName: string,
  now: Date,
): Promise<void> {
  const memberships = await listActiveMemberships(tx, caller.user.id)
  const organizations = memberships.map(({ organizationId }) => organizationId)
  // in one order in all requests: two trails are locked at once
  organizations.sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1))
  for (const organization of organizations)
    await recordAudit(tx, organization, caller, now, {
      action: 'member.renamed',
      target: { kind: 'user', id: caller.user.id },
      detail: { displayName },
    })
}
