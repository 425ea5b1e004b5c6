import { expect, it } from 'vitest'
import { localeOf } from './language.ts'

it.each([
  [['en-GB', 'de'], 'en-GB'],
  [['de-AT', 'en'], 'en'],
  [['en-US@posix'], 'en-US'],
  [['en_US.UTF-8'], 'en'],
  [[], 'en'],
])('of %o the clock is that of %s', (wanted, expected) => {
  const locale = localeOf('en', wanted)
  expect(locale).toBe(expected)
  expect(() => new Intl.DateTimeFormat(locale)).not.toThrow()
})
