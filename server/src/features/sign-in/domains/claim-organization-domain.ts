import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { OrganizationLimits } from '../../../access/budgets/organization-limits.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { claimDomain, listDomains, normalizeDomain } from '../../../directory/domains/domains.ts'
import { lockMembers } from '../../../directory/members/members.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { invalidInput, Refusal } from '../../../platform/refusal.ts'
import { newChallenge } from '../federated/domain-proof.ts'
import { toDomainClaim } from './domain-view.ts'
import { entryOn } from './settle-claim.ts'

interface Needs {
  db: Db
  clock: Clock
  limits: Pick<OrganizationLimits, 'of'>
}

/** Claims a domain for the active organization. The DNS decides who owns it, not the first claim. */
export async function claimOrganizationDomain(
  needs: Needs,
  caller: CallerOf<'claimOrganizationDomain'>,
  input: Input<'claimOrganizationDomain'>,
): Promise<Reply<'claimOrganizationDomain'>> {
  const organization = caller.organization.id
  const domain = normalizeDomain(input.domain)
  if (!domain) throw noSuchName()
  const now = needs.clock.now()
  const most = needs.limits.of(organization, 'domains')
  const claim = await transaction(needs.db, async (tx) => {
    // two at once are counted one after the other
    await lockMembers(tx, organization)
    const present = await listDomains(tx, organization)
    if (present.length >= most && !present.some((one) => one.domain === domain)) throw tooMany(most)
    const claimed = await claimDomain(tx, { organization, domain, challenge: newChallenge() }, now)
    await recordAudit(tx, organization, caller, now, entryOn('domain.claimed', domain))
    return claimed
  })
  return { status: 200, body: { domain: toDomainClaim(claim) } }
}

function noSuchName(): Refusal {
  return invalidInput([
    { field: 'domain', message: 'Enter a domain that is your organization’s alone, such as acme.example' },
  ])
}

function tooMany(most: number): Refusal {
  const message = `This organization has at most ${most} domains; remove one first`
  return Refusal.of('too-many-domains', { message })
}
