import type { IdentityOrganizationId, IdentityUserId } from '../platform/ids.ts'

/** Something that has changed at the identity provider. It says where to look; how things stand is asked then. */
export type IdentityNews =
  | { kind: 'membership'; organization: IdentityOrganizationId; user: IdentityUserId }
  | { kind: 'domains'; organization: IdentityOrganizationId }
  | { kind: 'domain-removed'; organization: IdentityOrganizationId; domain: string }
  | { kind: 'session-ended'; session: string }

/** A membership as the provider has it. */
export interface ProviderMembership {
  /** Undefined where it is not one of our roles. */
  role: 'guest' | 'member' | 'moderator' | 'admin' | undefined
  status: 'active' | 'pending' | 'inactive'
}

/** From where on news are read: after an event, or, before there was one, since a moment. */
export interface NewsPosition {
  cursor: string | null
  since: Date
}

/** Where people are administered at the identity provider too: what was done there. */
export interface IdentityNewsPort {
  /**
   * The next news, oldest first. What is of no interest is left out, so that there may be a new cursor without news.
   * @returns cursor: to be kept once they have been followed; null: there is nothing new. `lost` where the provider no
   * longer knows the cursor: what has happened since cannot be read any more
   * @throws ProviderFailure
   */
  read(place: NewsPosition): Promise<{ news: IdentityNews[]; cursor: string | null } | 'lost'>
  /** A person's membership now; undefined: none. @throws ProviderFailure */
  findMembership(of: {
    organization: IdentityOrganizationId
    user: IdentityUserId
  }): Promise<ProviderMembership | undefined>
  /**
   * All members of an organization, of any status. All of them or none: a list that breaks off is a failure.
   * @returns undefined where the provider does not know the organization
   * @throws ProviderFailure
   */
  listMemberships(
    organization: IdentityOrganizationId,
  ): Promise<Map<IdentityUserId, ProviderMembership> | undefined>
  /** The address of a person, where they have proven it. @throws ProviderFailure */
  findVerifiedEmail(user: IdentityUserId): Promise<string | undefined>
  /** The domains of an organization. @throws ProviderFailure */
  listDomains(
    organization: IdentityOrganizationId,
  ): Promise<{ domain: string; state: 'pending' | 'verified' | 'failed' }[]>
}
