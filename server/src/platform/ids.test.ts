import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claimsToBeGuest, identityOfGuest, parseGuestIdentity } from './ids.ts'

describe('the identity of a guest', () => {
  it('is read back, and nothing else is', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string(), (uuid, text) => {
        expect(parseGuestIdentity(identityOfGuest(uuid))).toBe(uuid)
        const shouted = identityOfGuest(uuid.toUpperCase())
        if (uuid !== uuid.toUpperCase()) expect(parseGuestIdentity(shouted)).toBeUndefined()
        if (text !== '') expect(parseGuestIdentity(identityOfGuest(uuid) + text)).toBeUndefined()
        expect(parseGuestIdentity(text)).toBeUndefined()
      }),
    )
  })

  it('is claimed by every name that begins like one', () => {
    expect(['guest:x', 'guest:', 'guest:1#2'].every(claimsToBeGuest)).toBe(true)
    expect(['42', '42#guest:1', 'EG_guest', ''].some(claimsToBeGuest)).toBe(false)
  })
})
