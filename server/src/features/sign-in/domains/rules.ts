import { Refusal } from '../../../platform/refusal.ts'

export function noSuchDomain(): Refusal {
  return Refusal.of('domain-not-found')
}

/** Does not say by which organization. */
export function domainTaken(): Refusal {
  return Refusal.of('domain-taken')
}

export function dnsUnavailable(): Refusal {
  return Refusal.of('dns-unavailable')
}
