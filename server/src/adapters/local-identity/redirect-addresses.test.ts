import { describe, expect, it } from 'vitest'
import { redirectAddresses } from './redirect-addresses.ts'

const BASE = 'https://office.example/auth/callback/sso'

describe('redirectAddresses', () => {
  const warnings: unknown[] = []
  const { choose, accept } = redirectAddresses({ warn: (...said: unknown[]) => void warnings.push(said) })
  const registrationOf = (sharesAddress: boolean) => ({
    issuer: 'https://login.example',
    address: { redirectName: 'own', sharesAddress },
  })

  it.each([
    ['its own address', false, 'own', true],
    ['its own address, before it is registered', true, 'own', true],
    ['the shared address, where that is registered and the issuer named', true, '?iss=x', true],
    ['the shared address, where no issuer is named', true, '', false],
    ['the shared address, where its own is registered', false, '?iss=x', false],
    ['the address of another connection', false, 'other?iss=x', false],
  ])('%s', (_, shares, came, accepted) => {
    const url = new URL(came.startsWith('?') || came === '' ? `${BASE}${came}` : `${BASE}/${came}`)
    expect(accept(url, registrationOf(shares))).toBe(accepted)
  })

  it('says once that the shared address is old, and which one to register', () => {
    for (const namesItself of [true, false, true]) choose(BASE, registrationOf(true), { namesItself })
    choose(BASE, registrationOf(false), { namesItself: true })
    expect(warnings).toEqual([
      [
        { issuer: 'https://login.example', redirectAddress: `${BASE}/own` },
        expect.stringContaining('"atrium sso add" again'),
      ],
    ])
  })
})
