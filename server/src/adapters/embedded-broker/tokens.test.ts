import { describe, expect, it } from 'vitest'
import { signToken } from '../../platform/secrets/signed-token.ts'
import { verifyTokens } from './tokens.ts'

const [current, former, other] = ['current', 'former', 'other'].map((name) =>
  new TextEncoder().encode(name.repeat(6)),
) as [Uint8Array, Uint8Array, Uint8Array]
const now = new Date()
const signedWith = (key: Uint8Array, seconds = 60) =>
  signToken({ sub: 'user_1' }, key, { now, expiresAt: new Date(now.getTime() + seconds * 1_000) })

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
