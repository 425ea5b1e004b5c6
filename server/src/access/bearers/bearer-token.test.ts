import { expect, it } from 'vitest'
import { kindOfBearer, newBearerToken } from './bearer-token.ts'

it('is known by its form: prefix, 43 characters, and a checksum of them', () => {
  const token = newBearerToken('service')
  expect(token).toMatch(/^atr_[\w-]{43}[\w-]{6}$/)
  expect(kindOfBearer(token)).toBe('service')
  expect(kindOfBearer(newBearerToken('scim'))).toBe('scim')
  expect(newBearerToken('service')).not.toBe(token)
})

it.each([
  ['nothing', () => ''],
  ['another word', () => 'nope'],
  ['a session', () => `ats_${'A'.repeat(43)}`],
  ['no checksum', (token: string) => token.slice(0, -6)],
  ['a letter of another', (token: string) => `atr_${token[4] === 'A' ? 'B' : 'A'}${token.slice(5)}`],
  ['another prefix', (token: string) => token.replace('atr_', 'atrscim_')],
  ['something behind', (token: string) => `${token}A`],
  ['a line end', (token: string) => `${token}\n`],
  ['a great deal', () => `atr_${'A'.repeat(100_000)}`],
])('%s is no token', (_name, change) => {
  expect(kindOfBearer(change(newBearerToken('service')))).toBeUndefined()
})
