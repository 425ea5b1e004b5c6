import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { KnownCallers } from '../../access/sessions/known-callers.ts'
import { enterWhereNone, requireReach } from '../../access/sessions/sign-on-reach.ts'
import { requireName } from '../../directory/display-name.ts'
import { addMembership } from '../../directory/members/memberships.ts'
import { countFounded, insertOrganization } from '../../directory/organizations.ts'
import { lockUser } from '../../directory/users.ts'
import { type Clock, DAY_SECONDS, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { IdentityPort } from '../../ports/identity.ts'
import { completePendingOrganization, recordPendingOrganization } from './pending-organizations.ts'

interface Needs {
  db: Db
  clock: Clock
  identity: IdentityPort
  callers: Pick<KnownCallers, 'forget'>
  /** That one person may found; 0: no limit. */
  organizationsPerUser: number
}

/** For so long a deleted one counts: a founder who deletes and founds again founds no more than others. */
const DELETED_COUNT_SECONDS = DAY_SECONDS

const NAME_LENGTHS = { min: 1, max: 100 }

/** Makes an organization with the caller as its admin; the active one of this session where none was. */
export async function createOrganization(
  needs: Needs,
  caller: CallerOf<'createOrganization'>,
  input: Input<'createOrganization'>,
): Promise<Reply<'createOrganization'>> {
  const name = requireName(input.name, 'name', NAME_LENGTHS)
  await requireReach(needs.db, caller)
  // asked once more below, with the account locked: here so that nothing is made elsewhere for nothing
  await requireFewEnough(needs, needs.db, caller)
  // Written down before it is asked for: what is cut short from here on is found there again, and taken away.
  const key = await recordPendingOrganization(needs.db, needs.clock.now())
  const identityId = await needs.identity.createOrganization({ name, key })
  await needs.identity.createMembership({
    organization: identityId,
    user: caller.user.identityId,
    role: 'admin',
  })
  const now = needs.clock.now()
  await transaction(needs.db, async (tx) => {
    if (!(await completePendingOrganization(tx, key))) throw Refusal.of('unavailable')
    await lockUser(tx, caller.user.id)
    await requireFewEnough(needs, tx, caller)
    const organization = await insertOrganization(tx, { identityId, name, founder: caller.user.id }, now)
    const founder = { organization: organization.id, user: caller.user.id, role: 'admin' } as const
    if (!(await addMembership(tx, founder, now))) throw Refusal.of('unauthenticated')
    await recordAudit(tx, organization.id, caller, now, {
      action: 'organization.created',
      target: { kind: 'organization', id: identityId },
      detail: { name },
    })
    await enterWhereNone(tx, caller, organization, now)
  })
  needs.callers.forget(caller.user.id)
  return { status: 200, body: { id: identityId, organizationName: name, domains: [] } }
}

/** @throws Refusal conflict */
async function requireFewEnough(
  needs: Needs,
  db: Db,
  { user }: CallerOf<'createOrganization'>,
): Promise<void> {
  const { organizationsPerUser: most, clock } = needs
  if (most === 0) return
  const founded = await countFounded(db, user.id, secondsAfter(clock.now(), -DELETED_COUNT_SECONDS))
  if (founded >= most) throw Refusal.of('too-many-organizations')
}
