import { permissions } from '@atrium/contract'

/** What the least that can answer `POST /user/get` reads and shows: the bytes of the office, of one person who founded one. */

export const USER = `
  select u.id, u.identity_user_id, u.calendar_status, u.email, u.first_name, u.last_name, u.display_name, u.created_at, u.updated_at,
    (select json_agg(json_build_object('id', o.identity_organization_id, 'name', o.name, 'role', m.role,
      'status', m.status) order by m.created_at, m.organization_id)
    from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = u.id and o.deleted_at is null) as memberships
  from users u where u.id = $1`

interface Membership {
  id: string
  name: string
  role: string
  status: string
}

// biome-ignore lint/suspicious/noExplicitAny: a row as it comes
export function toUser(row: any, organizationId: string | null) {
  return {
    id: row.id,
    email: row.email,
    displayName: row.display_name,
    avatarUrl: null,
    currentOrganizationId: organizationId,
    organizationMemberships: (row.memberships as Membership[]).map(({ id, name, role, status }) => ({
      organization: { id, name, logoUrl: null },
      role,
      status,
      // the founder is an administrator, who holds all
      permissions,
    })),
    integrations: { providerACalendar: { connected: false, enabled: true } },
    manualStatus: null,
    avatarUploadTriesRemaining: 3,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    // last, where the office's serializer puts optional fields: both sides answer the same bytes
    presenceUserId: row.identity_user_id,
    firstName: row.first_name,
    lastName: row.last_name,
    calendarStatus: row.calendar_status ? 'on' : 'off',
  }
}
