import { EncryptJWT } from 'jose'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../refusal.ts'
import { makeKeyRing } from './sealed-column.ts'
import { openToken, sealToken } from './sealed-token.ts'
import { Secret } from './secret.ts'

const ring = makeKeyRing('links', new Secret('first root secret of the tests'))
const Room = Type.Object({ room: Type.String() })
const isClaims = (value: unknown) => Value.Check(Room, value)
const door = { name: 'door', isClaims }
const window = { name: 'window', isClaims }
const now = new Date('2026-11-21T12:00:00Z')
const expiresAt = new Date('2026-11-21T12:10:00Z')

describe('a sealed token', () => {
  it('carries its claims, readable by its issuer alone', async () => {
    const token = await sealToken(ring, door, { room: 'blue' }, { expiresAt, now })
    expect(Buffer.from(token.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toContain('blue')
    const opened = await openToken(ring, door, token, now)
    expect(opened).toEqual({
      claims: { room: 'blue' },
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      issuedAt: new Date(Math.floor(now.getTime() / 1_000) * 1_000),
      expiresAt,
    })
  })

  it('never has the id of another', async () => {
    const tokens = [1, 2].map(() => sealToken(ring, door, { room: 'blue' }, { expiresAt, now }))
    const ids = (await Promise.all(tokens)).map(async (token) => (await openToken(ring, door, token, now)).id)
    expect(new Set(await Promise.all(ids)).size).toBe(2)
  })

  it('is gone from the moment it expires', async () => {
    const token = await sealToken(ring, door, { room: 'blue' }, { expiresAt, now })
    await openToken(ring, door, token, new Date(expiresAt.getTime() - 1))
    expect(await kindOf(openToken(ring, door, token, expiresAt))).toBe('gone')
  })

  it('is invalid under another purpose, expired or not', async () => {
    const token = await sealToken(ring, door, { room: 'blue' }, { expiresAt, now })
    expect(await kindOf(openToken(ring, window, token, now))).toBe('invalid')
    expect(await kindOf(openToken(ring, window, token, expiresAt))).toBe('invalid')
  })

  it('is invalid when it was tampered with, expired or not', async () => {
    const token = await sealToken(ring, door, { room: 'blue' }, { expiresAt, now })
    const parts = token.split('.')
    for (const [at, part] of parts.entries()) {
      const first = part.startsWith('A') ? 'B' : 'A'
      const changed = parts.with(at, `${first}${part.slice(1)}`).join('.')
      expect(await kindOf(openToken(ring, door, changed, now)), `part ${at}`).toBe('invalid')
      expect(await kindOf(openToken(ring, door, changed, expiresAt)), `part ${at}, late`).toBe('invalid')
    }
  })

  it.each([
    [''],
    ['x'],
    ['a.b.c'],
    ['....'],
    ['x'.repeat(5_000)],
    ['eyJhbGciOiJub25lIn0.eyJyb29tIjoiYmx1ZSJ9.'],
  ])('is not %j', async (text) => {
    expect(await kindOf(openToken(ring, door, text, now))).toBe('invalid')
  })

  it('is invalid where the claims are of another shape', async () => {
    const House = Type.Object({ house: Type.String() })
    const older = { name: 'door', isClaims: (value: unknown) => Value.Check(House, value) }
    const token = await sealToken(ring, older, { house: 'red' }, { expiresAt, now })
    expect(await kindOf(openToken(ring, door, token, now))).toBe('invalid')
  })

  it('opens after a rotation, until the old key is retired', async () => {
    const token = await sealToken(ring, door, { room: 'blue' }, { expiresAt, now })
    const [first, second] = ['first', 'second'].map((name) => new Secret(`${name} root secret of the tests`))
    if (!first || !second) throw new Error('no secrets')
    expect((await openToken(makeKeyRing('links', second, [first]), door, token, now)).claims).toEqual({
      room: 'blue',
    })
    expect(await kindOf(openToken(makeKeyRing('links', second), door, token, now))).toBe('invalid')
  })

  it('has an expiry, an id, our type and our algorithm, even where the key is right', async () => {
    const header = { alg: 'dir', enc: 'A256GCM', kid: ring.current.kid, typ: 'atrium+jwe' }
    const made = (
      changes: object,
      with_ = (jwt: EncryptJWT) => jwt.setExpirationTime(expiresAt).setJti('1'),
    ) =>
      with_(
        new EncryptJWT({ claims: { room: 'blue' } }).setIssuer('atrium').setAudience('door').setIssuedAt(now),
      )
        .setProtectedHeader({ ...header, ...changes })
        .encrypt(ring.current.key)
    expect((await openToken(ring, door, await made({}), now)).claims).toEqual({ room: 'blue' })
    const refused = [
      made({}, (jwt) => jwt.setJti('1')),
      made({}, (jwt) => jwt.setExpirationTime(expiresAt)),
      made({}, (jwt) => jwt.setExpirationTime(expiresAt).setJti('1').setIssuer('somebody')),
      made({ typ: 'JWT' }),
      made({ kid: undefined }),
      made({ alg: 'A256GCMKW' }),
    ]
    for (const token of refused) expect(await kindOf(openToken(ring, door, await token, now))).toBe('invalid')
  })
})

async function kindOf(opening: Promise<unknown>): Promise<string> {
  const outcome = await opening.then(
    () => 'opened',
    (error: unknown) => error,
  )
  if (outcome instanceof Refusal) return outcome.kind
  throw outcome
}
