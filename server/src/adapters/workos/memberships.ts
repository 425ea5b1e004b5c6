import type { WorkOS } from '@workos-inc/node'
import type { IdentityPort } from '../../ports/identity.ts'
import { ask, codeOf, orGone, statusOf } from './failures.ts'

type MembershipPart = Pick<IdentityPort, 'createMembership' | 'removeMembership'>

/** What WorkOS is told of memberships. All of it may be told again: the reconciliation does. */
export function workosMemberships(workos: WorkOS): MembershipPart {
  const users = workos.userManagement
  const find = async (organizationId: string, userId: string) => {
    const found = await ask('listOrganizationMemberships', () =>
      users.listOrganizationMemberships({ organizationId, userId, limit: 1 }),
    )
    return found.data[0]
  }
  return {
    async createMembership({ organization, user, role }) {
      const membership = { organizationId: organization, userId: user, roleSlug: role }
      try {
        const make = () => users.createOrganizationMembership(membership)
        await ask('createOrganizationMembership', make, isTaken)
      } catch (error) {
        if (!isTaken(error)) throw error
        const known = await find(organization, user)
        if (!known || known.role.slug === role) return
        const change = () => users.updateOrganizationMembership(known.id, { roleSlug: role })
        await ask('updateOrganizationMembership', change)
      }
    },
    async removeMembership({ organization, user }) {
      const known = await find(organization, user)
      if (!known) return
      await orGone('deleteOrganizationMembership', () => users.deleteOrganizationMembership(known.id))
    },
  }
}

/** It is there already: another call was faster, or WorkOS was told before. */
export function isTaken(error: unknown): boolean {
  return statusOf(error) === 409 || codeOf(error)?.endsWith('_already_exists') === true
}
