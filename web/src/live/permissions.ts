import type { User } from '@atrium/client/session'
import { useSession } from './use-session.ts'

type Membership = User['organizationMemberships'][number]
export type PermissionName = NonNullable<Membership['permissions']>[number]

/** The membership in the organization that the session works in. */
export function useMembership(): Membership | undefined {
  const session = useSession()
  if (session.state !== 'signed-in') return undefined
  const { currentOrganizationId, organizationMemberships } = session.user
  return organizationMemberships.find(({ organization }) => organization.id === currentOrganizationId)
}

/** Whether the caller's role allows it. The office decides again at each call: this is for what is shown. */
export function useMay(): (permission: PermissionName) => boolean {
  const permissions = useMembership()?.permissions ?? []
  return (permission) => permissions.includes(permission)
}
