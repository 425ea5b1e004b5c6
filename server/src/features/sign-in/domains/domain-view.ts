import type { Reply } from '@atrium/contract'
import type { DomainRecord } from '../../../directory/domains/domains.ts'
import { isPublishable, recordOf } from '../federated/domain-proof.ts'

type DomainClaim = Reply<'claimOrganizationDomain'>['body']['domain']

/** A domain as the administrators of its organization see it. */
export function toDomainClaim(domain: DomainRecord): DomainClaim {
  const record = isPublishable(domain.challenge) ? recordOf(domain.domain, domain.challenge) : null
  return {
    id: domain.id,
    domain: domain.domain,
    state: domain.state,
    provenByDns: domain.provenByDns,
    lookedUpAt: domain.lookedUpAt?.toISOString() ?? null,
    record: record && { name: record.name, type: 'TXT', value: record.text },
  }
}
