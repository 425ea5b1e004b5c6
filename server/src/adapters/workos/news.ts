import type { Event, WorkOS } from '@workos-inc/node'
import { type IdentityOrganizationId, type IdentityUserId, parseIdentityUserId } from '../../platform/ids.ts'
import { fieldsOf, identifierOf } from '../../platform/outside/outside-fields.ts'
import type { IdentityNews, IdentityNewsPort, ProviderMembership } from '../../ports/identity-news.ts'
import { cursorOf, domainOf, organizationOf, STATUSES, standingOf, verifiedEmailOf } from './answers.ts'
import { ask, malformed, orGone, statusOf } from './failures.ts'

const EVENTS = [
  'organization_membership.created',
  'organization_membership.updated',
  'organization_membership.deleted',
  'organization_domain.verified',
  'organization_domain.verification_failed',
  'organization_domain.updated',
  'organization_domain.deleted',
  'session.revoked',
] as const
const BATCH = 100
/** Its statuses for `after` of an event that it does not have; the document has no word of its own for that. */
const NO_SUCH_CURSOR = new Set([400, 404, 422])

/**
 * What happens at WorkOS, read from its list of events: kept there for weeks and read from a cursor of ours, nothing is
 * missed while this office is closed, nothing comes twice out of order, and no address of ours has to be reachable.
 */
export function workosNews(workos: WorkOS): IdentityNewsPort {
  const users = workos.userManagement
  return {
    read: (from) => readNews(workos, from),
    async findMembership({ organization, user }) {
      const search = { organizationId: organization, userId: user, statuses: STATUSES, limit: 1 }
      const { data } = await ask('listOrganizationMemberships', () =>
        users.listOrganizationMemberships(search),
      )
      const [found] = data
      // what is taken away by this answer must be theirs
      if (found && (found.organizationId !== organization || found.userId !== user))
        throw malformed('membership')
      return found && standingOf(found)
    },
    listMemberships: (organization) => listMemberships(workos, organization),
    async findVerifiedEmail(user) {
      const found = await orGone('getUser', () => users.getUser(user))
      return verifiedEmailOf(found)
    },
    async listDomains(organization) {
      const found = await orGone('getOrganization', () => workos.organizations.getOrganization(organization))
      return (found?.domains ?? [])
        .map((one) => ({ domain: domainOf(one), state: one.state }))
        .filter(({ domain }) => domain !== '')
        .map(({ domain, state }) => ({
          domain,
          state: state === 'verified' || state === 'failed' ? state : ('pending' as const),
        }))
    },
  }
}

async function readNews(
  workos: WorkOS,
  { cursor, since }: Parameters<IdentityNewsPort['read']>[0],
): ReturnType<IdentityNewsPort['read']> {
  const from = cursor === null ? { rangeStart: since.toISOString() } : { after: cursor }
  const isLost = (error: unknown) => cursor !== null && NO_SUCH_CURSOR.has(statusOf(error) ?? 0)
  try {
    const { data } = await ask(
      'listEvents',
      () => workos.events.listEvents({ events: [...EVENTS], limit: BATCH, order: 'asc', ...from }),
      isLost,
    )
    return { news: data.flatMap(newsOf), cursor: cursorOf(data.at(-1)?.id) }
  } catch (error) {
    if (isLost(error)) return 'lost'
    throw error
  }
}

async function listMemberships(
  { organizations, userManagement: users }: WorkOS,
  organization: IdentityOrganizationId,
): ReturnType<IdentityNewsPort['listMemberships']> {
  // An organization that it does not know may have an empty list too.
  const known = await orGone('getOrganization', () => organizations.getOrganization(organization))
  if (known?.id !== organization) return undefined
  const members = new Map<IdentityUserId, ProviderMembership>()
  const seen = new Set<string>()
  for (let after: string | null = null; ; ) {
    const search = { organizationId: organization, statuses: STATUSES, limit: BATCH }
    const page = await ask('listOrganizationMemberships', () =>
      users.listOrganizationMemberships(after === null ? search : { ...search, after }),
    )
    for (const membership of page.data) {
      const user = parseIdentityUserId(membership.userId)
      if (!user || membership.organizationId !== organization) throw malformed('membership')
      const standing = standingOf(membership)
      if (standing) members.set(user, standing)
    }
    after = cursorOf(page.listMetadata.after)
    if (after === null) return members
    if (seen.has(after)) throw malformed('next page')
    seen.add(after)
  }
}

function newsOf({ event, data }: Event): IdentityNews[] {
  const about = fieldsOf(data)
  if (event === 'session.revoked') {
    const session = identifierOf(about.id)
    return session === undefined ? [] : [{ kind: 'session-ended', session }]
  }
  const organization = organizationOf(about.organizationId)
  if (!organization) return []
  if (event === 'organization_domain.deleted')
    return [{ kind: 'domain-removed', organization, domain: domainOf(about) }]
  if (event.startsWith('organization_domain.')) return [{ kind: 'domains', organization }]
  const user = typeof about.userId === 'string' ? parseIdentityUserId(about.userId) : undefined
  return user ? [{ kind: 'membership', organization, user }] : []
}
