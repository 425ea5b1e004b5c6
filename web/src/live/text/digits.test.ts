import { expect, it } from 'vitest'
import { codeOf } from './digits.ts'

it.each(['978099', ' 978 099 ', '978-099', '978\u00a0099', '９７８ ０９９', '978099.'])(
  '%o is the code',
  (entered) => {
    expect(codeOf(entered)).toBe('978099')
  },
)

it('what has no digit in it is refused by the office, and not by being empty', () => {
  expect(codeOf(' none ')).toBe('none')
})
