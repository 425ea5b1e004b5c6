import type { IdentityOrganizationId, IdentityUserId } from '../platform/ids.ts'

/** A person whose address the identity provider has seen proven. */
export interface ProvenIdentity {
  /** Normalized. */
  email: string
}

/** Who knows the people and proves that they are who they say. */
export interface IdentityPort {
  /**
   * Mails a fresh six-digit code; only the newest works. Where nobody has an account under the address, no code
   * goes out but a mail that points to sign-up, by the same steps and in the same time: the caller's answer
   * must not tell which.
   * @param email normalized
   * @throws ProviderFailure
   */
  sendCode(request: { email: string; hasAccount: boolean }): Promise<void>
  /**
   * Spends a try on the newest code of an address. Of many calls at once with the right code one wins.
   * @returns undefined where the code is wrong, expired, used, replaced, or its five tries are spent
   * @throws ProviderFailure
   */
  proveByCode(attempt: { email: string; code: string }): Promise<ProvenIdentity | undefined>
  /** The id under which the provider knows, or from now on knows, a person. @throws ProviderFailure */
  createUser(person: { email: string }): Promise<IdentityUserId>
  /** Makes an organization at the provider. @throws ProviderFailure */
  createOrganization(organization: { name: string }): Promise<IdentityOrganizationId>
  /** Gives a person a role in an organization at the provider, whether they had one before or not. Repeatable. @throws ProviderFailure */
  createMembership(membership: {
    organization: IdentityOrganizationId
    user: IdentityUserId
    role: 'guest' | 'member' | 'moderator' | 'admin'
  }): Promise<void>
  /** Takes a person out of an organization at the provider. Repeatable: whoever is not in it stays out. @throws ProviderFailure */
  removeMembership(membership: { organization: IdentityOrganizationId; user: IdentityUserId }): Promise<void>
  /** Repeatable. @throws ProviderFailure */
  renameOrganization(organization: { organization: IdentityOrganizationId; name: string }): Promise<void>
  /** Where to send a browser so that the provider's own session ends too; comes back to `returnTo`. Never fails. */
  logoutUrl(logout: { returnTo: string }): string
}
