import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { makeKeyRing } from '../../platform/secrets/sealed-column.ts'
import { Secret } from '../../platform/secrets/secret.ts'
import { currentPushKey, signingKey } from './push-keys.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const ringOf = (root: string) => makeKeyRing('tests', new Secret(root.repeat(12)))

it('is made once, of many nodes that open at once, and again where no key opens it', async () => {
  const { db } = database
  const [ring, now] = [ringOf('one'), new Date()]
  const keys = await Promise.all(Array.from({ length: 4 }, () => currentPushKey(db, ring, now)))
  expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1)
  const [first] = keys
  if (!first) throw new Error('no key')
  expect(await signingKey(db, ring, first.id)).toMatchObject({
    publicKey: first.publicKey,
    privateKey: expect.stringMatching(/^[\w-]{43}$/),
  })
  const other = await currentPushKey(db, ringOf('other'), now)
  expect(other.publicKey).not.toBe(first.publicKey)
  expect(await signingKey(db, ring, other.id)).toBeUndefined()
  expect((await signingKey(db, ring, first.id))?.publicKey).toBe(first.publicKey)
})
