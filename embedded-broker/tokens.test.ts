import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { verifyTokens } from './tokens.ts'

const [current, former, other] = ['current', 'former', 'other'].map((name) =>
  new TextEncoder().encode(name.repeat(6)),
) as [Uint8Array, Uint8Array, Uint8Array]
const now = new Date()
const signedWith = (key: Uint8Array, seconds = 60) =>
  new SignJWT({ sub: 'user_1' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(new Date(now.getTime() + seconds * 1_000))
    .sign(key)

describe('connection tokens while their secret is being changed', () => {
  const tokens = verifyTokens([current, former], () => now)

  it('are taken with any of the keys, and with no other', async () => {
    expect(await tokens.connection(await signedWith(current))).toMatchObject({ claims: { user: 'user_1' } })
    expect(await tokens.connection(await signedWith(former))).toMatchObject({ claims: { user: 'user_1' } })
    expect(await tokens.connection(await signedWith(other))).toBe('invalid')
  })

  it('have expired under a former key too', async () => {
    expect(await tokens.connection(await signedWith(former, -1))).toBe('expired')
  })
})
