import type { LimitName } from '@atrium/contract'
import { countBearerTokens } from '../../access/bearers/bearer-token-store.ts'
import {
  type CountedLimit,
  readUsedAnywhere,
  readUsedByOrganization,
  readUsedByPeople,
} from '../../access/budgets/counted-limits.ts'
import type { OrganizationLimits } from '../../access/budgets/organization-limits.ts'
import { listDomains } from '../../directory/domains/domains.ts'
import { readTries, triesSpent } from '../../directory/image-tries.ts'
import { countBots, listMemberIds } from '../../directory/members/members.ts'
import { countWaitingMost } from '../../features/guests/store.ts'
import type { LimitUsage } from '../../features/organizations/get-organization-limits.ts'
import { countRooms } from '../../features/rooms/store.ts'
import { countWebhooks } from '../../features/webhooks/webhook-store.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'

type Read = (organization: OrganizationId) => Promise<number | null>

const passing: Read = async () => null

/** Come back within a minute, or each node counts them for itself: what they are now is over when it is read. */
const PASSING = {
  'calls-per-person': passing,
  'calls-per-token': passing,
  'token-calls': passing,
  'calls-per-directory': passing,
  'requests-under-way': passing,
  'requests-under-way-per-person': passing,
  'knocks-per-person': passing,
  'messages-per-person': passing,
  'messages-per-conversation': passing,
  'groups-per-person': passing,
  'people-per-group': passing,
  'reactions-per-person': passing,
  'edit-minutes': passing,
}

/** How much organizations use of their limits now: each is read from the feature that keeps it. */
export function limitUsage(needs: {
  db: Db
  clock: Clock
  limits: Pick<OrganizationLimits, 'of' | 'own' | 'personal'>
}): LimitUsage {
  const { db, clock, limits } = needs
  // refused tries are counted as well
  const atMost = (used: number, name: CountedLimit, organization: OrganizationId) =>
    Math.min(used, limits.of(organization, name))
  const counted =
    (name: CountedLimit): Read =>
    async (organization) =>
      atMost(await readUsedByOrganization(db, name, organization), name, organization)
  const countedByPerson =
    (name: CountedLimit): Read =>
    async (organization) => {
      // elsewhere too: a member's use for others is not this organization's
      if (limits.own(organization, name) === undefined) return null
      const people = (await listMemberIds(db, organization))
        .map((member) => member.id)
        .filter((user) => limits.personal(organization, name, user) === undefined)
      return atMost(await readUsedByPeople(db, name, organization, people), name, organization)
    }
  const usage: Record<LimitName, Read> = {
    rooms: (organization) => countRooms(db, organization),
    webhooks: (organization) => countWebhooks(db, organization),
    'service-tokens': (organization) => countBearerTokens(db, organization, 'service'),
    bots: (organization) => countBots(db, organization),
    'directory-connections': (organization) => countBearerTokens(db, organization, 'scim'),
    domains: async (organization) => (await listDomains(db, organization)).length,
    invitations: counted('invitations'),
    'invitations-per-person': countedByPerson('invitations-per-person'),
    exports: counted('exports'),
    'sign-on-trials': counted('sign-on-trials'),
    'logo-uploads': async (id) => triesSpent(await readTries(db, { kind: 'organization', id }), clock.now()),
    'logo-bytes': counted('logo-bytes'),
    ...PASSING,
    'file-bytes': counted('file-bytes'),
    'file-bytes-per-person': countedByPerson('file-bytes-per-person'),
    'guests-per-room': async (organization) => (await countWaitingMost(db, organization)).ofRoom,
    'guests-per-link': async (organization) => (await countWaitingMost(db, organization)).ofInvite,
  }
  return (name, organization) => usage[name](organization)
}

/**
 * How much one person uses of a limit that each person has; null: it comes back within a minute. For operators: where
 * no limit is the organization's or their own, what they do elsewhere is counted with it.
 */
export async function limitUsageOfPerson(
  { db, limits }: { db: Db; limits: Pick<OrganizationLimits, 'of' | 'own'> },
  name: LimitName,
  organization: OrganizationId,
  user: UserId,
): Promise<number | null> {
  if (name !== 'invitations-per-person' && name !== 'file-bytes-per-person') return null
  const used =
    limits.own(organization, name, user) === undefined
      ? await readUsedAnywhere(db, name, user)
      : await readUsedByPeople(db, name, organization, [user])
  const most = limits.of(organization, name, user)
  return most === 0 ? used : Math.min(used, most)
}
