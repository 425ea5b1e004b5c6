import { describe, expect, it } from 'vitest'
import { mayChangeEmail, mayChangeNames, roleByGroups } from './rules.ts'

describe('what a directory may change of an account', () => {
  it.each([
    ['own', false, true],
    ['own-by-dns', false, true],
    ['own', true, false],
    ['own-by-dns', true, false],
    ['foreign', false, false],
    ['foreign', true, false],
  ] as const)('names where the domain is %s, elsewhere: %s: %s', (domain, elsewhere, may) => {
    expect(mayChangeNames({ domain, elsewhere })).toBe(may)
  })

  it('an address only between domains that are proven by DNS, of somebody who is nowhere else', () => {
    const domains = ['own', 'own-by-dns', 'foreign'] as const
    const allowed = domains.flatMap((domain) =>
      domains.flatMap((next) =>
        [true, false]
          .filter((elsewhere) => mayChangeEmail({ domain, elsewhere }, next))
          .map((elsewhere) => [domain, next, elsewhere]),
      ),
    )
    expect(allowed).toEqual([['own-by-dns', 'own-by-dns', false]])
  })
})

describe('the role by groups', () => {
  it.each([
    ['member', [], 'member'],
    ['member', ['guest'], 'member'],
    ['member', ['guest', 'moderator'], 'moderator'],
    ['guest', ['member', 'admin', 'moderator'], 'admin'],
    ['admin', ['member'], 'admin'],
  ] as const)('of a %s in groups of %j is %s', (byHand, groups, role) => {
    expect(roleByGroups(byHand, groups)).toBe(role)
  })
})
