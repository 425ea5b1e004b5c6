import { Refusal } from '../../../platform/refusal.ts'

export function noSuchDomain(): Refusal {
  return new Refusal('not-found', 'There is no such domain', { error: 'domain-not-found' })
}

/** Whose it is, is not told. */
export function domainTaken(): Refusal {
  return new Refusal('conflict', 'Another organization has proven this domain', { error: 'domain-taken' })
}

export function dnsUnavailable(): Refusal {
  return new Refusal('unavailable', 'The DNS does not answer for this domain; try again later', {
    error: 'dns-unavailable',
  })
}
