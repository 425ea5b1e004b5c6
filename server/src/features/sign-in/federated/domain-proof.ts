import { keepLookUp, listDomainsToLookUp, type VerifiedDomain } from '../../../directory/domains/domains.ts'
import { type Clock, DAY_SECONDS, HOUR_SECONDS, secondsAfter } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/log.ts'
import { newToken } from '../../../platform/secrets/secret.ts'

/** Where an organization publishes that a domain is theirs. */
const RECORD_NAME = '_atrium'
const RECORD_PREFIX = 'atrium-domain-verification='
/** Only what can be published can be looked up: not the domains of the sandbox, or those that WorkOS has verified. */
const CHALLENGE = /^dns_[\w-]{43}$/

/** Without any answer of the DNS for so long, nothing is proven any more. */
const UNKNOWN_AT_MOST_SECONDS = 7 * DAY_SECONDS
/** `ENOTFOUND`: there is no such name; `ENODATA`: it has no record of this kind. Anything else is no answer. */
const ABSENT = ['ENOTFOUND', 'ENODATA']

/** The TXT records of a name, as of `node:dns`. */
export type ResolveText = (name: string) => Promise<string[][]>

export type Proof = 'found' | 'absent' | 'unknown'

export function newChallenge(): string {
  return newToken('dns')
}

/** Whether a claim has a record that can be published, and so looked up. */
export function isPublishable(challenge: string): boolean {
  return CHALLENGE.test(challenge)
}

/** The record that proves a domain, as an operator publishes it. */
export function recordOf(domain: string, challenge: string): { name: string; text: string } {
  return { name: `${RECORD_NAME}.${domain}`, text: `${RECORD_PREFIX}${challenge}` }
}

/** Whether the DNS has the record of a claim. */
export async function findProof(resolve: ResolveText, domain: string, challenge: string): Promise<Proof> {
  const { name, text } = recordOf(domain, challenge)
  try {
    const records = await resolve(name)
    return records.some((parts) => parts.join('') === text) ? 'found' : 'absent'
  } catch (error) {
    return ABSENT.includes((error as { code?: string }).code ?? '') ? 'absent' : 'unknown'
  }
}

export interface LookUpNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  resolveText: ResolveText
}

/**
 * Looks up the record of every verified domain: proven ones once a day, the others every hour, so that a record that
 * is back, or put beside the word of an operator, counts soon.
 */
export async function lookUpDomains(needs: LookUpNeeds, signal: AbortSignal): Promise<void> {
  const now = needs.clock.now()
  const due = [
    ...(await listDomainsToLookUp(needs.db, true, secondsAfter(now, -DAY_SECONDS))),
    ...(await listDomainsToLookUp(needs.db, false, secondsAfter(now, -HOUR_SECONDS))),
  ]
  for (const claim of due) {
    if (signal.aborted) return
    if (isPublishable(claim.challenge)) await lookUp(needs, claim)
  }
}

async function lookUp(
  needs: LookUpNeeds,
  { domain, organization, challenge, lookedUpAt }: VerifiedDomain,
): Promise<void> {
  const now = needs.clock.now()
  const proof = await findProof(needs.resolveText, domain, challenge)
  const isTooLong = !lookedUpAt || secondsAfter(lookedUpAt, UNKNOWN_AT_MOST_SECONDS) <= now
  if (proof === 'unknown' && !(organization.provenByDns && isTooLong)) return
  const proven = proof === 'found'
  await keepLookUp(needs.db, { organization: organization.id, domain, proven }, now)
  if (proven === organization.provenByDns) return
  const about = { domain, organization: organization.identityId }
  if (proven) needs.log.info(about, 'a domain is proven by the DNS')
  else
    needs.log.warn(
      about,
      'the DNS does not prove a domain any more: its single sign-on reaches its own organization only',
    )
}
