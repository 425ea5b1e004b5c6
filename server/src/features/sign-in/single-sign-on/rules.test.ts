import { describe, expect, it } from 'vitest'
import { isIssuerAddress, judgeTest, requireIssuer } from './rules.ts'

describe('isIssuerAddress', () => {
  it('is https in production, and http too elsewhere', () => {
    expect(isIssuerAddress('https://login.example/realms/acme', { httpsOnly: true })).toBe(true)
    expect(isIssuerAddress('http://login.example', { httpsOnly: true })).toBe(false)
    expect(isIssuerAddress('http://login.example', { httpsOnly: false })).toBe(true)
  })
})

describe('requireIssuer', () => {
  const production = { httpsOnly: true, publicOnly: true }

  it('wants a public address where the office calls no other: of a name it is seen as it is called', () => {
    for (const host of ['10.0.0.1', '127.0.0.1', 'localhost', '[::1]', '169.254.169.254', 'intranet']) {
      const issuer = `https://${host}/realms/acme`
      expect(() => requireIssuer(issuer, production)).toThrow(
        expect.objectContaining({ error: 'address-not-public' }),
      )
      expect(requireIssuer(issuer, { ...production, publicOnly: false })).toBe(issuer)
    }
    expect(requireIssuer(' https://login.acme.example ', production)).toBe('https://login.acme.example')
    expect(() => requireIssuer('http://login.acme.example', production)).toThrow('such as https://')
  })
})

describe('judgeTest', () => {
  const isVerified = (domain: string) => ['acme.example', 'acme.test'].includes(domain)
  const verdictOn = (email: string, emailVerified = true, ownEmail = 'ada@elsewhere.example') =>
    judgeTest({ email, emailVerified }, { ownEmail, isVerified })

  it.each([
    ['ada@acme.example', true, 'passed'],
    ['ADA@ACME.TEST', true, 'passed'],
    ['ada@acme.example', false, 'email-not-verified'],
    ['ada@sub.acme.example', true, 'foreign-domain'],
    ['ada@foreign.example', false, 'foreign-domain'],
    ['', true, 'no-email'],
    ['no address', true, 'no-email'],
  ] as const)('of %s, verified %s: %s', (email, emailVerified, outcome) => {
    expect(verdictOn(email, emailVerified).outcome).toBe(outcome)
  })

  it('asks an administrator of such a domain to come in as themself: or they would be locked out', () => {
    expect(verdictOn('ben@acme.example', true, 'ada@acme.example').outcome).toBe('another-person')
    expect(verdictOn('Ada@acme.example', true, 'ada@acme.example').outcome).toBe('passed')
  })

  it('tells the domain, and not the address', () => {
    expect(verdictOn('ada@acme.example')).toEqual({
      outcome: 'passed',
      domain: 'acme.example',
      emailVerified: true,
    })
  })
})
