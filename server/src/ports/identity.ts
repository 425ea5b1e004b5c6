import type { SocialProvider, WayIn } from '@atrium/contract'
import type { Tx } from '../platform/database/database.ts'
import type { IdentityOrganizationId, IdentityUserId } from '../platform/ids.ts'
import type { MailLanguage } from '../platform/mail/mail-language.ts'
import type { AssertedIdentity } from './asserted-identity.ts'
import type { ConnectionsPort } from './connections.ts'

export type { SocialProvider }

/** A person with an address that the identity provider has seen proven. */
export interface ProvenIdentity {
  /** Normalized. */
  email: string
  /** Hash of the name of the browser that asked for the code; null where the provider does not tell browsers apart. */
  askedBy: Buffer | null
  /** The provider's own session, where it keeps one that a sign-out should end. */
  session: string | null
  /** Where it begins that session once an organization has been chosen: what `chooseOrganization` needs. A secret. */
  choice: string | null
}

/** A person who has shown the code that was mailed to their address. It proves nothing until it is spent. */
export interface CodeProof extends ProvenIdentity {
  /**
   * Uses the code up, in the transaction that commits what it proves: where that is rolled back, the code still works.
   * Of many calls one is answered true; always true where the provider has used it up itself.
   */
  spend(tx: Tx): Promise<boolean>
}

/** What stands between a person who has proven who they are and a session, where it is not one of our rules. */
export interface Obstructed {
  obstacle: /** The provider has not seen their address proven: a mailed code proves it. */
    | 'email-not-proven'
    /** The provider asks for a second factor, or for a proof that they are no robot: this office cannot. */
    | 'second-factor-required'
    /** Their organization accepts its own single sign-on only … */
    | 'single-sign-on-required'
    /** … or does not accept this way. */
    | 'sign-in-method-not-accepted'
    /** The subject identifies no one (empty, blank), or is too long to be kept. */
    | 'identity-unusable'
}

/** A sign-in at an outside issuer: one of two social providers, or the single sign-on of an organization. */
export type RedirectWay = { kind: SocialProvider } | { kind: 'sso'; organization: IdentityOrganizationId }

/** Who knows the people and proves that they are who they say. */
export interface IdentityPort {
  /** How people may sign in here. Single sign-on is one where a connection of their organization leads there. */
  readonly waysIn: readonly WayIn[]
  /** Single sign-on that organizations set up here; null where that is done at the provider itself. */
  readonly connections: ConnectionsPort | null
  /**
   * Mails a fresh six-digit code; only the newest that a browser has asked for works there, and where a provider tells
   * no browsers apart, the newest of all. Without an account under the address no code goes out but a mail that points
   * to sign-up, by the same steps and in the same time: the caller's answer must not tell which. A provider that has to
   * be asked for it is asked afterwards, more than once where it fails: that it fails is not told either.
   * @param email normalized
   * @param browserHash hash of the name of the browser that asks
   * @param joining the organization that the code makes them a member of: the mail names it
   * @throws ProviderFailure
   */
  sendCode(request: {
    email: string
    /** Of the mail, where its words are ours. */
    language: MailLanguage
    hasAccount: boolean
    browserHash: Buffer
    joining?: string
    /** No code goes out, but a mail that points to the single sign-on of their organization. */
    singleSignOnOnly?: boolean
  }): Promise<void>
  /**
   * Compares a code with the newest one of an address: with the one that this browser has asked for, else with the
   * newest of all. A wrong one spends a try; a right one is used up by `spend`. Tries of a browser that asked for none
   * end the code for such browsers only.
   * @param browserHash null where the browser has no name
   * @returns undefined where the code is wrong, expired, used, replaced, or its five tries are spent
   * @throws ProviderFailure
   */
  proveByCode(attempt: {
    email: string
    code: string
    browserHash: Buffer | null
  }): Promise<CodeProof | Obstructed | undefined>
  /**
   * Says which of several organizations a proven person works in: the provider begins its own session then.
   * @param choice as `proveByCode` or `finishRedirect` answered it; one success spends it
   * @returns the session, null where the provider does not know them there (yet): who belongs where is decided by us;
   * undefined where it no longer lets them in by that proof
   * @throws ProviderFailure, and the choice may be tried again
   */
  chooseOrganization(chosen: {
    choice: string
    organization: IdentityOrganizationId
  }): Promise<{ session: string | null } | Obstructed | undefined>
  /**
   * The id under which the provider knows, or from now on knows, a person. It is asked alike whether they are new or not:
   * how long it takes does not tell.
   * @param knownAs where we know them already
   * @throws ProviderFailure
   */
  createUser(person: { email: string; knownAs?: IdentityUserId | undefined }): Promise<IdentityUserId>
  /**
   * The provider knows a person under another address from now on, which is proven to be theirs: codes for it, and
   * sign-ins under it, are theirs. Repeatable.
   * @param email normalized
   * @returns false where it knows another person under that address, and changes nothing
   * @throws ProviderFailure
   */
  changeEmail(change: { user: IdentityUserId; email: string }): Promise<boolean>
  /**
   * Takes a person away at the provider, with all that it has of them. Repeatable: an absent person stays away. @throws
   * ProviderFailure
   */
  deleteUser(person: { user: IdentityUserId }): Promise<void>
  /**
   * Makes an organization at the provider.
   * @param key unique; `discardOrganization` finds it by this where we never learnt its id
   * @throws ProviderFailure, and it may have been made all the same
   */
  createOrganization(organization: { name: string; key: string }): Promise<IdentityOrganizationId>
  /** Takes away what was made under a key, if anything was. Repeatable. @throws ProviderFailure */
  discardOrganization(left: { key: string }): Promise<void>
  /** Gives a person a role in an organization at the provider, whether they had one before or not. Repeatable. @throws ProviderFailure */
  createMembership(membership: {
    organization: IdentityOrganizationId
    user: IdentityUserId
    role: 'guest' | 'member' | 'moderator' | 'admin'
  }): Promise<void>
  /**
   * Where to send a browser so that the provider's own session ends too; comes back to `returnTo`. Never fails.
   * @param session the provider's session, as `finishRedirect` or `proveByCode` answered it
   */
  logoutUrl(logout: { returnTo: string; session: string | null }): string
  /**
   * Begins a sign-in at an outside issuer. It checks state and PKCE, we check both again at the return.
   * @param redirectUri where the browser comes back to, for this kind of way
   * @returns where to send the browser, where it will come back to (`redirectUri`, or an address below it that belongs
   * to the connection alone), and what `finishRedirect` needs of it again; undefined where this way is not configured
   * @throws ProviderFailure within 6 seconds
   */
  startRedirect(start: {
    way: RedirectWay
    state: string
    redirectUri: string
    loginHint?: string
  }): Promise<{ redirectURL: string; redirectUri: string; secrets: string } | undefined>
  /**
   * Takes what the browser brought back.
   * @param callbackUrl the address it came back to, with everything that was added to it: the one that
   * `startRedirect` answered, which the caller has made sure of
   * @returns undefined where it is refused, or does not hold (signature, issuer, audience, nonce)
   * @throws ProviderFailure within 6 seconds
   */
  finishRedirect(answer: {
    way: RedirectWay
    callbackUrl: URL
    state: string
    secrets: string
  }): Promise<AssertedIdentity | Obstructed | undefined>
  /** Whether an organization has single sign-on that works. @throws ProviderFailure */
  hasSingleSignOn(organization: IdentityOrganizationId): Promise<boolean>
  /** All organizations that have single sign-on that works, as it is now. @throws ProviderFailure */
  listSingleSignOn(): Promise<ReadonlySet<IdentityOrganizationId>>
  /**
   * Takes a person out of an organization at the provider. Repeatable: an absent person stays out. @throws
   * ProviderFailure
   */
  removeMembership(membership: { organization: IdentityOrganizationId; user: IdentityUserId }): Promise<void>
  /** Repeatable. @throws ProviderFailure */
  renameOrganization(organization: { organization: IdentityOrganizationId; name: string }): Promise<void>
}
