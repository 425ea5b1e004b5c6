import type { AtriumClient } from '@atrium/client'
import { addMembership } from '../../src/directory/members/memberships.ts'
import { findOrganization, type OrganizationRef } from '../../src/directory/organizations.ts'
import { findUserByEmail } from '../../src/directory/users.ts'
import { type IdentityUserId, trusted, type UserId } from '../../src/platform/ids.ts'
import type { TestOffice } from '../office.ts'
import { newFounder, newPerson, type Person, signedInBrowser } from '../people.ts'

/** A person at work in an organization, with every id of both. */
export interface Colleague {
  email: string
  browser: AtriumClient
  user: { id: UserId; identityId: IdentityUserId }
  organization: OrganizationRef
}

/** The founder of an organization of their own. */
export async function newColleague(office: TestOffice): Promise<Colleague> {
  const { organizationId, ...person } = await newFounder(office)
  return await withIds(office, person, organizationId)
}

/** A new person in the organization of another. */
export async function joinedBy(office: TestOffice, other: Colleague): Promise<Colleague> {
  const person = await newPerson(office)
  const { user } = await withIds(office, person, other.organization.identityId)
  const membership = { organization: other.organization.id, user: user.id, role: 'member' } as const
  await addMembership(office.database.db, membership, office.clock.now())
  const { browser } = await signedInBrowser(
    office,
    { email: person.email, id: user.id },
    membership.organization,
  )
  return { email: person.email, browser, user, organization: other.organization }
}

async function withIds(
  office: TestOffice,
  { email, browser }: Pick<Person, 'email' | 'browser'>,
  organizationId: string,
): Promise<Colleague> {
  const user = await findUserByEmail(office.database.db, email)
  if (!user) throw new Error(`nobody has the address ${email}`)
  const identityId = trusted.identityOrganizationId(organizationId)
  const organization = await findOrganization(office.database.db, identityId)
  if (!organization) throw new Error(`there is no organization ${organizationId}`)
  return {
    email,
    browser,
    user: { id: user.id, identityId: user.identityId },
    organization,
  }
}
