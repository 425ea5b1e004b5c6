import { identifierOf, wholeTextOf } from '../../platform/outside/outside-fields.ts'
import { webAddress } from '../../platform/text/unicode.ts'
import type { AssertedIdentity } from '../../ports/asserted-identity.ts'

/** Claims of an id token with a valid signature, issuer, audience and nonce. The rest of them is hostile input. */
export type Claims = Readonly<Record<string, unknown>> & { iss: string; sub: string }

/** It names the person in no way that tells them from others. */
export interface Nameless {
  obstacle: 'identity-unusable'
}

/** How far the word of an issuer about e-mail addresses goes. */
export type Authority = 'google' | 'microsoft' | 'organization' | 'trusted-organization'

const GOOGLE_HOST = 'accounts.google.com'
const MICROSOFT_HOST = 'login.microsoftonline.com'
const EMAIL_LENGTH_MAX = 320
const NAME_LENGTH_MAX = 100
const ISSUER_LENGTH_MAX = 2_048

/**
 * Reads who it is. Whether the address is verified and whether the issuer is the authority over it comes from the
 * same token as the address: never from somewhere else, and only from what is exactly `true`.
 */
export function toAssertedIdentity(claims: Claims, authority: Authority): AssertedIdentity | Nameless {
  const [issuer, subject] = [identifierOf(claims.iss, ISSUER_LENGTH_MAX), identifierOf(claims.sub)]
  if (issuer === undefined || subject === undefined) return { obstacle: 'identity-unusable' }
  const email = addressIn(claims)
  return {
    issuer,
    subject,
    email,
    ...judgeEmail(claims, authority, email),
    firstName: wholeTextOf(claims.given_name, NAME_LENGTH_MAX),
    lastName: wholeTextOf(claims.family_name, NAME_LENGTH_MAX),
    wholeName: wholeTextOf(claims.name, NAME_LENGTH_MAX),
    session: null,
    choice: null,
  }
}

/** The address that claims name; `""` where they name none that could be one. */
export function addressIn({ email }: Readonly<Record<string, unknown>>): string {
  return wholeTextOf(email, EMAIL_LENGTH_MAX).trim()
}

function judgeEmail(
  claims: Claims,
  authority: Authority,
  email: string,
): { emailVerified: boolean; emailAuthoritative: boolean } {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (authority === 'google') {
    // Elsewhere it has been verified once, by a person who may have lost the address since.
    const own =
      domain === 'gmail.com' || (typeof claims.hd === 'string' && claims.hd.toLowerCase() === domain)
    const authoritative = own || !isAt(GOOGLE_HOST, claims.iss)
    return { emailVerified: claims.email_verified === true, emailAuthoritative: authoritative }
  }
  if (authority === 'microsoft') {
    // Its tenants choose their people's addresses themselves, and never say whether they verified them.
    const verified =
      claims.xms_edov === true || (!isAt(MICROSOFT_HOST, claims.iss) && claims.email_verified === true)
    return { emailVerified: verified, emailAuthoritative: verified }
  }
  const verified = authority === 'trusted-organization' || claims.email_verified === true
  return { emailVerified: verified, emailAuthoritative: true }
}

/** Whether the vendor itself issued it: another issuer can stand in its place, and is believed by its word. */
function isAt(host: string, issuer: string): boolean {
  return webAddress(issuer)?.hostname === host
}
