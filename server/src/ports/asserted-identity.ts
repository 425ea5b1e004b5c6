/** A person's identity, as the one who signed them in says. Not all that it says is believed yet. */
export interface AssertedIdentity {
  /** Together the name of the person at their issuer: they never change, addresses do. */
  issuer: string
  /** 1 to 255 characters, not blank. */
  subject: string
  /** As it was said, not normalized; `""` where nothing was. */
  email: string
  /** It says in the same breath, and exactly so, that the address is verified. */
  emailVerified: boolean
  /** It has the last word about addresses of this domain. */
  emailAuthoritative: boolean
  /** `""` where unknown. */
  firstName: string
  lastName: string
  /** Of an issuer that says a name in one piece, in place of its parts; not there where it says none. */
  wholeName?: string
  /** The provider's own session, where it keeps one that a sign-out should end. */
  session: string | null
  /** Where it begins that session once an organization has been chosen: what `chooseOrganization` needs. A secret. */
  choice: string | null
}
