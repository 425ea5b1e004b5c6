import { expect, it } from 'vitest'
import { LOADS } from './loads.ts'
import { readPrices } from './prices.ts'

const BOUGHT = `Mark: \`0123456789\`

## Bought since the mark

| benchmark | ratio | commit | what for |
|---|--:|---|---|
| \`user-get\` | 0.9 | \`abcdef01\` | a second look at the session |
| \`user-get\` | 0.5 | \`abcdef02\` | a third |
`

it('has a mark, and prices of loads that are measured', () => {
  const { mark, bought } = readPrices()
  expect(mark).toMatch(/^[0-9a-f]{8,}$/)
  expect(LOADS.map(({ name }) => name)).toEqual(expect.arrayContaining([...bought.keys()]))
})

it('multiplies what was bought one after the other', () => {
  const { mark, bought } = readPrices(BOUGHT)
  expect(mark).toBe('0123456789')
  expect([...bought]).toEqual([['user-get', 0.45]])
})

it('refuses a line that is no price', () => {
  const text = BOUGHT.replace(' 0.9 ', ' cheap ')
  expect(() => readPrices(text)).toThrow('a line that is no price: | `user-get` | cheap |')
})
