import type { KnownCallers } from '../../../access/sessions/known-callers.ts'
import {
  type DemandOfDomain,
  endSessionsThatDoNotHold,
  listSignedOnDomains,
} from '../../../access/sessions/session-endings.ts'
import {
  findEnforcedSsoOfDomain,
  listDomains,
  listDomainsOwnedBy,
} from '../../../directory/domains/domains.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { IdentityOrganizationId, OrganizationId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import type { IdentityPort } from '../../../ports/identity.ts'

export interface EnforceNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  callers: Pick<KnownCallers, 'forget'>
  identity: Pick<IdentityPort, 'hasSingleSignOn'>
}

/** A domain, or all of an organization, where what is demanded may have changed. */
export type Changed = { domain: string } | { organization: OrganizationId }

/**
 * Ends the sessions of addresses of some domains that what is known of domains and connections does not allow any more.
 * Done whenever one of them has changed.
 * @returns how many people were signed out
 * @throws ProviderFailure where it is not known who has single sign-on: no user is signed out then
 */
export async function enforceSingleSignOn(needs: EnforceNeeds, changed: Changed): Promise<number> {
  const demands: DemandOfDomain[] = []
  for (const domain of await domainsOf(needs.db, changed)) {
    demands.push({ domain, organization: (await findEnforcedSsoOfDomain(needs, domain))?.organization })
  }
  return await endSessions(needs, demands)
}

/**
 * The same for all domains: what was missed, for any reason, ends too. It reads all connections, and all users whom
 * they have signed in or would.
 * @param connected all organizations with single sign-on
 */
export async function enforceEverywhere(
  needs: Omit<EnforceNeeds, 'identity'>,
  connected: ReadonlySet<IdentityOrganizationId>,
): Promise<number> {
  const owned = await listDomainsOwnedBy(needs.db, [...connected])
  const owners = new Map(owned.map(({ domain, organization }) => [domain, organization]))
  const domains = new Set([...owners.keys(), ...(await listSignedOnDomains(needs.db))])
  return await endSessions(
    needs,
    [...domains].map((domain) => ({ domain, organization: owners.get(domain) })),
  )
}

/** After a change that holds already: the work queue does what fails now. */
export async function enforceOrLater(needs: EnforceNeeds, changed: Changed): Promise<void> {
  try {
    await enforceSingleSignOn(needs, changed)
  } catch (error) {
    needs.log.warn({ err: error }, 'sessions that single sign-on does not allow end later')
  }
}

async function domainsOf(db: Db, changed: Changed): Promise<string[]> {
  if ('domain' in changed) return [changed.domain]
  const claims = await listDomains(db, changed.organization)
  return claims.filter(({ state }) => state === 'verified').map(({ domain }) => domain)
}

async function endSessions(
  needs: Omit<EnforceNeeds, 'identity'>,
  demands: readonly DemandOfDomain[],
): Promise<number> {
  const people = await endSessionsThatDoNotHold(needs.db, demands, needs.clock.now())
  for (const user of people) needs.callers.forget(user)
  if (people.length > 0)
    needs.log.info({ people: people.length }, 'sessions ended that single sign-on does not allow')
  return people.length
}
