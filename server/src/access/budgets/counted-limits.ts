import type { LimitName } from '@atrium/contract'
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import {
  type Limiter,
  readUsed,
  type SharedLimiterOptions,
  sharedLimiters,
} from '../../platform/limits/rate-limit.ts'
import type { OrganizationLimits } from './organization-limits.ts'

interface Counter {
  /** Of `sharedLimiter`. */
  counter: string
  seconds: number
  refundable?: boolean
}

/** Limits that all nodes count together, over a time. */
const COUNTERS = {
  invitations: { counter: 'invitations-per-organization', seconds: DAY_SECONDS, refundable: true },
  'invitations-per-person': { counter: 'invitations-per-user', seconds: HOUR_SECONDS, refundable: true },
  exports: { counter: 'exports-per-organization', seconds: DAY_SECONDS, refundable: true },
  'sign-on-trials': { counter: 'sign-on-trials-per-organization', seconds: HOUR_SECONDS },
  // beside the bytes of people, which have keys with another beginning
  'logo-bytes': { counter: 'upload-bytes', seconds: HOUR_SECONDS, refundable: true },
  'file-bytes': { counter: 'file-bytes-per-organization', seconds: DAY_SECONDS, refundable: true },
  'file-bytes-per-person': { counter: 'file-bytes-per-user', seconds: HOUR_SECONDS, refundable: true },
  'knocks-per-person': { counter: 'knocks-per-user', seconds: MINUTE_SECONDS },
  'reactions-per-person': { counter: 'reactions-per-user', seconds: MINUTE_SECONDS },
} as const satisfies Partial<Record<LimitName, Counter>>

export type CountedLimit = keyof typeof COUNTERS

/** What is taken from, and for whom. */
export interface Draw {
  limiter: Limiter
  key: string
}

export interface CountedLimits {
  ofOrganization(name: CountedLimit, organization: string): Draw
  /**
   * Of a person at work in an organization. Where the organization or its member has a limit of its own, the count
   * there is a separate one: one organization's limit never touches what the same person may do in another.
   */
  ofPerson(name: CountedLimit, user: string, organization: string | undefined): Draw
}

export function countedLimits(
  options: Pick<SharedLimiterOptions, 'pool' | 'onStoreError'>,
  limits: Pick<OrganizationLimits, 'of' | 'own'>,
): CountedLimits {
  const limiterOf = Object.fromEntries(
    Object.entries(COUNTERS).map(([name, { counter, ...counted }]) => [
      name,
      sharedLimiters({ ...options, ...counted, name: counter }),
    ]),
  ) as Record<CountedLimit, (points: number) => Limiter>
  const sized = (name: CountedLimit, organization: string | undefined, user?: string) =>
    limiterOf[name](limits.of(organization, name, user))
  return {
    ofOrganization: (name, organization) => ({
      limiter: sized(name, organization),
      key: organizationKey(name, organization),
    }),
    ofPerson: (name, user, organization) => ({
      limiter: sized(name, organization, user),
      key: limits.own(organization, name, user) === undefined ? user : personKey(user, organization),
    }),
  }
}

/** How much of a limit an organization has used. */
export async function readUsedByOrganization(
  db: Db,
  name: CountedLimit,
  organization: string,
): Promise<number> {
  return await readUsed(db, COUNTERS[name].counter, [organizationKey(name, organization)])
}

/** The highest use of a limit, of their organization's or their own, by any of these people. */
export async function readUsedByPeople(
  db: Db,
  name: CountedLimit,
  organization: string,
  users: readonly string[],
): Promise<number> {
  const keys = users.map((user) => personKey(user, organization))
  return await readUsed(db, COUNTERS[name].counter, keys)
}

/** A person's use of a limit in all organizations without a limit of their own. */
export async function readUsedAnywhere(db: Db, name: CountedLimit, user: string): Promise<number> {
  return await readUsed(db, COUNTERS[name].counter, [user])
}

function organizationKey(name: CountedLimit, organization: string): string {
  return name === 'logo-bytes' ? `organization ${organization}` : organization
}

function personKey(user: string, organization: string | undefined): string {
  return `${user} in ${organization}`
}
