import { expect, it } from 'vitest'
import { saidOf } from './said-of.ts'

it.each(['__proto__', 'constructor', 'toString', ''])('no words are said of %o', (name) => {
  expect(saidOf({ expired: 'It has expired.' }, name)).toBeUndefined()
})

it('what is named is said', () => {
  expect(saidOf({ expired: 'It has expired.' }, 'expired')).toBe('It has expired.')
})
