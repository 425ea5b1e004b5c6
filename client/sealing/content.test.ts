import { expect, it } from 'vitest'
import { newKeyPair, sealBox } from './boxes.ts'
import { randomBytes, toText } from './bytes.ts'
import { contentOf, marksOf, readContent, whoIsMarked } from './content.ts'

it('comes as it went, and names those who are left out, in a box that the office takes', async () => {
  const identities = Array.from({ length: 40 }, (_, index) => `guest:${index}`)
  const entrants = identities.map((identity) => ({ identity, publicKey: 'A', visit: 'v' }))
  const keys = await newKeyPair()
  for (const count of [0, 1, 29, 40]) {
    const leftOut = await marksOf(identities.slice(0, count))
    const content = { key: randomBytes(32), roster: toText(randomBytes(32)), leftOut }
    expect(readContent(contentOf(content))).toEqual(content)
    expect(await whoIsMarked(entrants, leftOut)).toEqual(identities.slice(0, Math.min(count, 29)))
    const box = await sealBox(keys, keys.publicKey, contentOf(content), 'room 1')
    expect(box).toMatch(/^[A-Za-z0-9_-]{64,512}$/)
  }
})

it('is nothing of another length', () => {
  for (const length of [0, 32, 63, 65, 71]) expect(readContent(randomBytes(length))).toBeUndefined()
})
