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
   * @param joining the organization that the code leads into: the mail names it
   * @throws ProviderFailure
   */
  sendCode(request: { email: string; hasAccount: boolean; joining?: string }): Promise<void>
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
  /** Makes a person an admin, or another role, of an organization at the provider. Repeatable. @throws ProviderFailure */
  createMembership(membership: {
    organization: IdentityOrganizationId
    user: IdentityUserId
    role: 'guest' | 'member' | 'moderator' | 'admin'
  }): Promise<void>
  /** Where to send a browser so that the provider's own session ends too; comes back to `returnTo`. Never fails. */
  logoutUrl(logout: { returnTo: string }): string
}
