import type { Event, WorkOS } from '@workos-inc/node'
import { refuseInsideTransaction } from '../../platform/database/transaction.ts'
import { parseIdentityOrganizationId, parseIdentityUserId } from '../../platform/ids.ts'
import type { IdentityNews, IdentityNewsPort, ProviderMembership } from '../../ports/identity-news.ts'
import { ask, isGone } from './failures.ts'

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
const ROLES = ['guest', 'member', 'moderator', 'admin'] as const

/**
 * What happens at WorkOS, read from its list of events: kept there for weeks and read from a cursor of ours, nothing is
 * missed while this office is closed, nothing comes twice out of order, and no address of ours has to be reachable.
 */
export function workosNews(workos: WorkOS): IdentityNewsPort {
  const users = workos.userManagement
  return {
    async read({ cursor, since }) {
      refuseInsideTransaction('identityNews.read')
      const from = cursor === null ? { rangeStart: since.toISOString() } : { after: cursor }
      const { data } = await ask('listEvents', () =>
        workos.events.listEvents({ events: [...EVENTS], limit: BATCH, order: 'asc', ...from }),
      )
      return { news: data.flatMap(newsOf), cursor: data.at(-1)?.id ?? null }
    },
    async findMembership({ organization, user }) {
      refuseInsideTransaction('identityNews.findMembership')
      const statuses: ProviderMembership['status'][] = ['active', 'pending', 'inactive']
      const search = { organizationId: organization, userId: user, statuses, limit: 1 }
      const { data } = await ask('listOrganizationMemberships', () =>
        users.listOrganizationMemberships(search),
      )
      const [found] = data
      if (!found || !statuses.includes(found.status)) return undefined
      return { role: ROLES.find((role) => role === found.role.slug), status: found.status }
    },
    async findVerifiedEmail(user) {
      refuseInsideTransaction('identityNews.findVerifiedEmail')
      const found = await orGone('getUser', () => users.getUser(user))
      return found?.emailVerified === true ? found.email : undefined
    },
    async listDomains(organization) {
      refuseInsideTransaction('identityNews.listDomains')
      const found = await orGone('getOrganization', () => workos.organizations.getOrganization(organization))
      return (found?.domains ?? []).map(({ domain, state }) => ({
        domain,
        state: state === 'verified' || state === 'failed' ? state : ('pending' as const),
      }))
    },
  }
}

async function orGone<Found>(action: string, call: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await ask(action, call, isGone)
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

function newsOf({ event, data }: Event): IdentityNews[] {
  const about = data as { id?: unknown; organizationId?: unknown; userId?: unknown; domain?: unknown }
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  if (event === 'session.revoked')
    return about.id === undefined ? [] : [{ kind: 'session-ended', session: text(about.id) }]
  const organization = parseIdentityOrganizationId(text(about.organizationId))
  if (!organization) return []
  if (event === 'organization_domain.deleted')
    return [{ kind: 'domain-removed', organization, domain: text(about.domain) }]
  if (event.startsWith('organization_domain.')) return [{ kind: 'domains', organization }]
  const user = parseIdentityUserId(text(about.userId))
  return user ? [{ kind: 'membership', organization, user }] : []
}
