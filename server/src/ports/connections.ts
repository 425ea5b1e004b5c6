import type { Db, Tx } from '../platform/database/database.ts'
import type { IdentityOrganizationId } from '../platform/ids.ts'
import type { AssertedIdentity } from './asserted-identity.ts'

/** A connection of an organization to its OpenID Connect issuer; never its client secret. */
export interface ConnectionSettings {
  issuer: string
  clientId: string
  /** Its addresses count as verified although it does not say so. */
  trustsEmail: boolean
  /** Last part of the redirect address, which is this connection's alone. */
  redirectName: string
}

/** A connection that is being set up: it admits no sign-in. */
export interface ConnectionDraft extends ConnectionSettings {
  /** Another one with each change. */
  revision: string
  /** The last test of just this revision that has passed, and the domain of the address in it. */
  tested: { at: Date; domain: string } | null
  /** That test has shown that a sign-out at the issuer comes back here. */
  endsSessions: boolean
}

/** A test sign-in that was begun. */
export interface StartedTest {
  /** Where to send the browser. */
  redirectURL: string
  /** Where it comes back to. */
  redirectUri: string
  /** What `finishTest` needs of it again. A secret. */
  secrets: string
  /** What it is of; null: of what is in force. */
  revision: string | null
}

/**
 * Single sign-on that organizations set up themselves: what is in force, and beside it a draft. All but the tests stays
 * in our own database, so that it is done in the caller's transaction.
 */
export interface ConnectionsPort {
  find(
    db: Db,
    organization: IdentityOrganizationId,
  ): Promise<{ inForce: ConnectionSettings | null; draft: ConnectionDraft | null }>
  /**
   * Makes a draft, in place of the one there was. At the same issuer the redirect address stays.
   * @param draft without a client secret: the one that is known for this issuer and this client id
   * @returns false where none is known: nothing has changed
   */
  saveDraft(
    tx: Tx,
    organization: IdentityOrganizationId,
    draft: { issuer: string; clientId: string; clientSecret: string | undefined; trustsEmail: boolean },
    now: Date,
  ): Promise<boolean>
  /**
   * Keeps that a test has passed, and whether a sign-out at the issuer comes back here.
   * @param test.revision null: of what is in force
   * @returns false where the draft is another one by now
   */
  keepTest(
    tx: Tx,
    organization: IdentityOrganizationId,
    test: { revision: string | null; domain: string; endsSessions: boolean },
    now: Date,
  ): Promise<boolean>
  /** The draft takes the place of what is in force. @returns false where there is none */
  activate(tx: Tx, organization: IdentityOrganizationId, now: Date): Promise<boolean>
  /** What is in force becomes the draft, untested, in place of another one. @returns false where nothing is in force */
  deactivate(tx: Tx, organization: IdentityOrganizationId, now: Date): Promise<boolean>
  /** Takes away both. @returns what there was */
  remove(tx: Tx, organization: IdentityOrganizationId): Promise<{ inForce: boolean; draft: boolean }>
  /**
   * Begins a test sign-in by the draft, or else by what is in force.
   * @param redirectUri of all single sign-on: the connection's own address lies below it
   * @returns undefined where there is neither
   * @throws ProviderFailure within 6 seconds
   */
  startTest(start: {
    organization: IdentityOrganizationId
    state: string
    redirectUri: string
  }): Promise<StartedTest | undefined>
  /**
   * Takes what the browser brought back from a test.
   * @param callbackUrl as `startTest` answered it, which the caller has made sure of, with everything that was added
   * @returns who the issuer says it is; `refused` where it says no or what does not hold, `identity-unusable` where it
   * identifies no one, `changed` where it was begun by other settings than there are now; its `session` is there
   * where a sign-out at the issuer was tried, and came back
   * @throws ProviderFailure within 6 seconds
   */
  finishTest(answer: {
    organization: IdentityOrganizationId
    revision: string | null
    callbackUrl: URL
    state: string
    secrets: string
  }): Promise<AssertedIdentity | 'refused' | 'identity-unusable' | 'changed'>
}
