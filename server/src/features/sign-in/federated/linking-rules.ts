/** What is known when a visitor comes back from elsewhere. */
export interface Arrival {
  way: 'social' | 'sso'
  /** The name at the issuer has a user already. */
  known: boolean
  /** The token has an address, in a form that can be an address. */
  hasEmail: boolean
  /** The same token says, and exactly so, that the address is verified. */
  emailVerified: boolean
  /** The issuer has the last word about addresses of this domain. */
  emailAuthoritative: boolean
  /** Who has an account under this address. */
  account: 'none' | 'unverified' | 'verified'
  /**
   * The directory of the organization holds the account inactive, and it has another name at this issuer; or it holds
   * another account inactive under this address: whether this is the same person is for an administrator to say.
   */
  heldForAnother: boolean
  /** Whether the address lies in a domain that the organization of the single sign-on has proven. */
  inDomainOfOrganization: boolean
  /** Whether the domain (of the account, where known) wants its own single sign-on. */
  enforced: boolean
}

export type Decision =
  /** The person that the name belongs to. */
  | 'enter'
  /** The account under the address; the name is theirs from now on. */
  | 'link'
  /** The same, but the address was never proven before: what the account holds is not theirs. */
  | 'adopt'
  | 'create'
  /** It is unknown whether the person is of the organization's domains. */
  | 'refuse-no-email'
  | 'refuse-foreign-domain'
  | 'refuse-sso-enforced'
  | 'refuse-held-for-another'
  /** They can prove the address by a code. */
  | 'refuse-unproven'

/**
 * The account that an identity enters as on the word of its issuer. An address alone proves nothing: accounts are found
 * by it only where the token that carries it vouches for it, and its issuer may do so.
 */
export function decideLinking(arrival: Arrival): Decision {
  if (arrival.way === 'sso' && !arrival.hasEmail) return 'refuse-no-email'
  if (arrival.way === 'sso' && !arrival.inDomainOfOrganization) return 'refuse-foreign-domain'
  if (arrival.way === 'social' && arrival.enforced) return 'refuse-sso-enforced'
  if (arrival.known) return 'enter'
  if (arrival.heldForAnother) return 'refuse-held-for-another'
  if (!arrival.hasEmail || !arrival.emailVerified) return 'refuse-unproven'
  if (arrival.account === 'none') return 'create'
  if (!arrival.emailAuthoritative) return 'refuse-unproven'
  return arrival.account === 'verified' ? 'link' : 'adopt'
}
