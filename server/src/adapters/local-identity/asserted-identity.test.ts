import { describe, expect, it } from 'vitest'
import { type Authority, toAssertedIdentity } from './asserted-identity.ts'

const google = 'https://accounts.google.com'
const microsoft = 'https://login.microsoftonline.com/7f2c/v2.0'

describe('what an issuer says about an address', () => {
  it.each<[string, Authority, Record<string, unknown>, verified: boolean, authoritative: boolean]>([
    ['google, gmail', 'google', { iss: google, email: 'a@gmail.com', email_verified: true }, true, true],
    [
      'google, its workspace',
      'google',
      { iss: google, email: 'a@acme.example', email_verified: true, hd: 'acme.example' },
      true,
      true,
    ],
    [
      'google, another workspace',
      'google',
      { iss: google, email: 'a@acme.example', email_verified: true, hd: 'b.example' },
      true,
      false,
    ],
    [
      'google, an address of elsewhere',
      'google',
      { iss: google, email: 'a@acme.example', email_verified: true },
      true,
      false,
    ],
    [
      'google, a look-alike',
      'google',
      { iss: google, email: 'a@evilgmail.com', email_verified: true },
      true,
      false,
    ],
    [
      'google, unverified',
      'google',
      { iss: google, email: 'a@gmail.com', email_verified: false },
      false,
      true,
    ],
    ['google, a text', 'google', { iss: google, email: 'a@gmail.com', email_verified: 'true' }, false, true],
    [
      'another issuer in its place, verified',
      'google',
      { email: 'a@x.example', email_verified: true },
      true,
      true,
    ],
    ['another issuer in its place, silent', 'google', { email: 'a@x.example' }, false, true],
    ['microsoft, silent', 'microsoft', { iss: microsoft, email: 'a@acme.example' }, false, false],
    [
      'microsoft, email_verified',
      'microsoft',
      { iss: microsoft, email: 'a@x.example', email_verified: true },
      false,
      false,
    ],
    [
      'microsoft, xms_edov',
      'microsoft',
      { iss: microsoft, email: 'a@acme.example', xms_edov: true },
      true,
      true,
    ],
    [
      'microsoft, xms_edov as a text',
      'microsoft',
      { iss: microsoft, email: 'a@x.example', xms_edov: '1' },
      false,
      false,
    ],
    ['another issuer in its place', 'microsoft', { email: 'a@x.example', email_verified: true }, true, true],
    ['an organization', 'organization', { email: 'a@acme.example', email_verified: true }, true, true],
    ['an organization, silent', 'organization', { email: 'a@acme.example' }, false, true],
    ['a trusted organization, silent', 'trusted-organization', { email: 'a@acme.example' }, true, true],
  ])('%s', (_, authority, claims, emailVerified, emailAuthoritative) => {
    const all = { iss: 'https://issuer.example', sub: '1', ...claims } as never
    expect(toAssertedIdentity(all, authority)).toMatchObject({ emailVerified, emailAuthoritative })
  })

  it.each([
    ['empty', ''],
    ['blank', '   '],
    ['invisible', '\u200b\u2060'],
    ['longer than 255 characters', 'x'.repeat(256)],
    ['with a character that cannot be kept', 'a\0b'],
    ['half of a character', 'a\ud800'],
  ])('takes no person with the name %s at the issuer', (_, sub) => {
    const claims = { iss: 'i', sub, email: 'a@b.example', email_verified: true }
    expect(toAssertedIdentity(claims, 'google')).toEqual({ obstacle: 'identity-unusable' })
  })

  it('takes a name at the issuer of one to 255 characters as it is', () => {
    for (const sub of ['1', ' a ', 'é'.repeat(255)])
      expect(toAssertedIdentity({ iss: 'i', sub }, 'google')).toMatchObject({ issuer: 'i', subject: sub })
  })

  it('takes no claim of another type, and none that is too long', () => {
    const claims = { iss: 'i', sub: 's', email: ['a@b.example'], given_name: 'x'.repeat(101), family_name: 7 }
    expect(toAssertedIdentity(claims, 'google')).toMatchObject({ email: '', firstName: '', lastName: '' })
  })
})
