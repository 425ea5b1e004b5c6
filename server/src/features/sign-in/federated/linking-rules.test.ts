import { describe, expect, it } from 'vitest'
import { type Arrival, type Decision, decideLinking } from './linking-rules.ts'

/** A person new to the issuer, with an own, verified address without an account. */
const social: Arrival = {
  way: 'social',
  known: false,
  hasEmail: true,
  emailVerified: true,
  emailAuthoritative: true,
  account: 'none',
  heldForAnother: false,
  inDomainOfOrganization: false,
  enforced: false,
}
const sso: Arrival = { ...social, way: 'sso', inDomainOfOrganization: true }

describe('whom an asserted identity enters as', () => {
  it.each<[string, Arrival, Decision]>([
    ['a known name', { ...social, known: true, account: 'verified' }, 'enter'],
    ['a known name without any address', { ...social, known: true, hasEmail: false }, 'enter'],
    ['a known name, its address unverified now', { ...social, known: true, emailVerified: false }, 'enter'],
    ['a new name, an authoritative address, a verified account', { ...social, account: 'verified' }, 'link'],
    ['the same, an account that nobody has proven', { ...social, account: 'unverified' }, 'adopt'],
    [
      'a verified address of somebody without authority, an account',
      { ...social, emailAuthoritative: false, account: 'verified' },
      'refuse-unproven',
    ],
    [
      'the same, an account that nobody has proven',
      { ...social, emailAuthoritative: false, account: 'unverified' },
      'refuse-unproven',
    ],
    ['the same, no account', { ...social, emailAuthoritative: false }, 'create'],
    [
      'an unverified address, an account',
      { ...social, emailVerified: false, account: 'verified' },
      'refuse-unproven',
    ],
    ['an unverified address, no account', { ...social, emailVerified: false }, 'refuse-unproven'],
    ['no address', { ...social, hasEmail: false }, 'refuse-unproven'],
    ['nobody yet', social, 'create'],
    [
      'a domain with single sign-on, a known name',
      { ...social, known: true, enforced: true },
      'refuse-sso-enforced',
    ],
    ['a domain with single sign-on, nobody yet', { ...social, enforced: true }, 'refuse-sso-enforced'],
    ['single sign-on, nobody yet', sso, 'create'],
    ['single sign-on, a verified account in its domain', { ...sso, account: 'verified' }, 'link'],
    ['single sign-on, an unproven account in its domain', { ...sso, account: 'unverified' }, 'adopt'],
    [
      'single sign-on, a new name, an account that a directory holds inactive and that has another one',
      { ...sso, account: 'verified', heldForAnother: true },
      'refuse-held-for-another',
    ],
    ['single sign-on, a known name', { ...sso, known: true, account: 'verified' }, 'enter'],
    [
      'single sign-on, a verified account in a foreign domain',
      { ...sso, account: 'verified', inDomainOfOrganization: false },
      'refuse-foreign-domain',
    ],
    [
      'single sign-on, a known name in a foreign domain',
      { ...sso, known: true, inDomainOfOrganization: false },
      'refuse-foreign-domain',
    ],
    [
      'single sign-on that names no address',
      { ...sso, hasEmail: false, inDomainOfOrganization: false },
      'refuse-no-email',
    ],
    [
      'single sign-on that names no address, a known name',
      { ...sso, known: true, hasEmail: false, inDomainOfOrganization: false },
      'refuse-no-email',
    ],
    [
      'single sign-on that does not call the address verified',
      { ...sso, emailVerified: false, account: 'verified' },
      'refuse-unproven',
    ],
  ])('%s', (_, arrival, decision) => {
    expect(decideLinking(arrival)).toBe(decision)
  })
})
