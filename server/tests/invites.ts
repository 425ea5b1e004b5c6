import type { FoundInvite, Invite, Invites } from '../src/features/sign-in/invites.ts'
import { trusted } from '../src/platform/ids.ts'
import type { TestOffice } from './office.ts'

/** Invitations for tests of what uses them: whoever holds a token of the map is invited. */
export interface TestInvites {
  invites: Map<string, FoundInvite>
  redeemed: string[]
}

/** Puts invitations into the place of those of an office. */
export function handOutInvites(office: TestOffice): TestInvites {
  const hand: TestInvites = { invites: new Map(), redeemed: [] }
  const find = (token: string): FoundInvite => hand.invites.get(token) ?? 'dead'
  const invites: Invites = {
    findInvite: async (token) => find(token),
    async redeemInvite(_tx, { token }) {
      const found = find(token)
      if (typeof found !== 'string') hand.redeemed.push(token)
      return found
    },
  }
  office.office.needs.invites = invites
  return hand
}

/** What a token of an organization would lead to. */
export async function inviteTo(
  office: TestOffice,
  organizationId: string,
  invite: Partial<Invite> = {},
): Promise<Invite> {
  const { rows } = await office.database.pool.query(
    'select id, name from organizations where identity_organization_id = $1',
    [organizationId],
  )
  const organization = {
    id: trusted.organizationId(rows[0].id),
    identityId: trusted.identityOrganizationId(organizationId),
  }
  return { kind: 'link', organization, organizationName: rows[0].name, role: 'member', ...invite }
}
