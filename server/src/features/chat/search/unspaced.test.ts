import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../tests/fresh-database.ts'
import { UNSPACED } from './highlights.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const CHARACTERS = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /[\p{L}\p{N}\p{M}]/u.test(character))

it('scripts without spaces between words are the same to the search and to what it marks', async () => {
  const { rows } = await database.pool.query<{ one: string }>(
    'select one from unnest($1::text[]) one where is_unspaced(one)',
    [CHARACTERS],
  )
  const found = new Set(rows.map(({ one }) => one))
  const marked = CHARACTERS.filter((character) => UNSPACED.test(character))
  expect(marked.length).toBeGreaterThan(100_000)
  expect(CHARACTERS.filter((character) => found.has(character) !== UNSPACED.test(character))).toEqual([])
})
