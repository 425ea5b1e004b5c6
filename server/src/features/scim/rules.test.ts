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
    expect(mayChangeNames({ domain, elsewhere, member: true })).toBe(may)
    expect(mayChangeNames({ domain, elsewhere, member: false })).toBe(false)
  })

  it('an address only between domains that are proven by DNS, of a member who is nowhere else', () => {
    const domains = ['own', 'own-by-dns', 'foreign'] as const
    const flags = [true, false]
    const all = domains.flatMap((domain) =>
      domains.flatMap((next) =>
        flags.flatMap((elsewhere) => flags.map((member) => ({ domain, next, elsewhere, member }))),
      ),
    )
    const allowed = all.filter(({ next, ...standing }) => mayChangeEmail(standing, next))
    expect(allowed).toEqual([{ domain: 'own-by-dns', next: 'own-by-dns', elsewhere: false, member: true }])
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
