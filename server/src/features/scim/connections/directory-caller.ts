import type { AuditAuthor } from '../../../access/audit/audit-trail.ts'
import type { KnownCallers } from '../../../access/sessions/known-callers.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { OrganizationId } from '../../../platform/ids.ts'
import type { IdentityPort } from '../../../ports/identity.ts'

/** Who speaks SCIM: a connection of one organization. */
export interface DirectoryCaller {
  organization: OrganizationId
  /** How the audit trail knows it. */
  author: AuditAuthor
}

/** What serving SCIM needs. */
export interface DirectoryNeeds {
  db: Db
  clock: Clock
  callers: Pick<KnownCallers, 'forget'>
  identity: Pick<IdentityPort, 'createUser'>
  /** Whether accounts are ours to give another address to; the identity provider's otherwise. */
  changesAddresses: boolean
  /** Of the SCIM endpoints, without a slash at its end. */
  scimUrl: string
}

/** The preconditions of a request (RFC 7232). */
export interface Preconditions {
  ifMatch: string | undefined
}
