import type { KnownCallers } from '../../../access/sessions/known-callers.ts'
import { type EnforcedDomain, endSessionsThatDoNotHold } from '../../../access/sessions/session-endings.ts'
import { listVerifiedDomains } from '../../../directory/domains/domains.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { IdentityPort } from '../../../ports/identity.ts'

export interface EnforceNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  callers: Pick<KnownCallers, 'forget'>
  identity: Pick<IdentityPort, 'hasSingleSignOn'>
}

/**
 * Ends the sessions that what is known of domains and connections does not allow any more. Done whenever an operator
 * changes one of them, and again and again: a sign-in that was under way meanwhile is not missed, nor what was changed
 * at the identity provider.
 * @returns how many people were signed out
 * @throws ProviderFailure where it is not known who has single sign-on: nobody is signed out then
 */
export async function enforceSingleSignOn(needs: EnforceNeeds): Promise<number> {
  const enforced: EnforcedDomain[] = []
  for (const { domain, organization } of await listVerifiedDomains(needs.db)) {
    if (await needs.identity.hasSingleSignOn(organization.identityId)) enforced.push({ domain, organization })
  }
  const people = await endSessionsThatDoNotHold(needs.db, enforced, needs.clock.now())
  for (const user of people) needs.callers.forget(user)
  if (people.length > 0)
    needs.log.info({ people: people.length }, 'sessions ended that single sign-on does not allow')
  return people.length
}

/** The same, after a change that holds already: whatever goes wrong now, the job does it later. */
export async function enforceOrLater(needs: EnforceNeeds): Promise<void> {
  try {
    await enforceSingleSignOn(needs)
  } catch (error) {
    needs.log.warn({ err: error }, 'sessions that single sign-on does not allow end later')
  }
}
