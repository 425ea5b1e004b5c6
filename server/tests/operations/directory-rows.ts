import type { OperationId } from '@atrium/contract'
import { provisioned, scimClient } from '../chapters/scim.ts'
import { freshDomain, giveDomain } from '../chapters/single-sign-on.ts'
import { type OperationRow, reads } from './operation-row.ts'
import type { Stage } from './stage.ts'

/** Nothing, of an organization with a single sign-on that has come so far. */
const signOn = (state: 'draft' | 'tested' | 'in-force') => async (stage: Stage) => {
  await stage.signOn(state)
  return {}
}

/** A person whom a directory has made, and holds inactive. */
const heldByDirectory = async (stage: Stage) => {
  const { token } = await stage.directory()
  const domain = freshDomain()
  await giveDomain(stage.office, stage.founder.organizationId, domain)
  return (await provisioned({ scim: scimClient(stage.office, token), domain }, { active: false })).id
}

/** Of what says who belongs to an organization, and how they sign in: directories, domains, single sign-on. */
export const directoryRows = {
  createDirectoryConnection: {
    input: () => ({ name: 'Entra' }),
    roles: ['admin'],
    visible: true,
    audit: 'directory-connection.created',
  },
  listDirectoryConnections: { roles: ['admin'], visible: false, audit: reads },
  revokeDirectoryConnection: {
    input: async (stage) => ({ id: (await stage.directory()).connectionId }),
    roles: ['admin'],
    visible: true,
    audit: 'directory-connection.revoked',
  },
  listDirectoryGroups: { roles: ['admin'], visible: false, audit: reads },
  updateDirectoryGroup: {
    // no role changes by it
    input: async (stage) => ({ id: (await stage.directory()).groupId, role: 'guest' }),
    roles: ['admin'],
    visible: true,
    audit: 'directory-group.role-changed',
  },
  listDirectoryRefusals: { roles: ['admin'], visible: false, audit: reads },
  restoreDirectoryUser: {
    input: async (stage) => ({ id: await heldByDirectory(stage) }),
    roles: ['admin'],
    visible: true,
    audit: 'member.joined',
  },
  releaseDirectoryName: {
    input: async (stage) => ({ id: await heldByDirectory(stage) }),
    roles: ['admin'],
    visible: true,
    audit: 'directory-user.name-released',
  },
  claimOrganizationDomain: {
    input: () => ({ domain: freshDomain() }),
    roles: ['admin'],
    visible: true,
    audit: 'domain.claimed',
  },
  listOrganizationDomains: { roles: ['admin'], visible: false, audit: reads },
  verifyOrganizationDomain: {
    input: async (stage) => ({ id: (await stage.domain()).id }),
    roles: ['admin'],
    visible: true,
    audit: 'domain.verified',
  },
  removeOrganizationDomain: {
    input: async (stage) => ({ id: (await stage.domain()).id }),
    roles: ['admin'],
    visible: true,
    audit: 'domain.removed',
  },
  getSingleSignOn: { roles: ['admin'], visible: false, audit: reads },
  saveSingleSignOn: {
    input: () => ({ issuer: 'https://login.example', clientId: 'atrium', clientSecret: 'secret' }),
    roles: ['admin'],
    visible: true,
    audit: 'single-sign-on.saved',
  },
  testSingleSignOn: {
    input: signOn('draft'),
    roles: ['admin'],
    // counted in the limits that admins are shown
    visible: true,
    audit: { none: 'it only begins: the outcome is written down when the browser comes back' },
  },
  activateSingleSignOn: {
    input: signOn('tested'),
    roles: ['admin'],
    visible: true,
    audit: 'single-sign-on.connected',
  },
  deactivateSingleSignOn: {
    input: signOn('in-force'),
    roles: ['admin'],
    visible: true,
    audit: 'single-sign-on.deactivated',
  },
  removeSingleSignOn: {
    input: signOn('draft'),
    roles: ['admin'],
    visible: true,
    audit: 'single-sign-on.removed',
  },
} satisfies Partial<Record<OperationId, OperationRow>>
