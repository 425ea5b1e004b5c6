import { describe, expect, it } from 'vitest'
import { constantTimeEquals, Secret, secretCheck } from './secret.ts'

const SECRET = 'kZ9-a secret of the configuration'

describe.each([
  ['secretCheck', (given: string, expected: string) => secretCheck(new Secret(expected))(given)],
  ['constantTimeEquals', constantTimeEquals],
])('%s', (_name, equals) => {
  it('takes the secret itself', () => {
    expect(equals(SECRET, SECRET)).toBe(true)
    expect(equals('gehört dazu', 'gehört dazu')).toBe(true)
  })

  it.each([
    ['nothing', ''],
    ['its beginning', SECRET.slice(0, -1)],
    ['its end', SECRET.slice(1)],
    ['it and more', `${SECRET}x`],
    ['it and a zero', `${SECRET}\0`],
    ['its beginning and a zero', `${SECRET.slice(0, -1)}\0`],
    ['its beginning and half of a character', `${SECRET.slice(0, -1)}ö`],
    ['it in other letters', SECRET.toUpperCase()],
    ['one of its length', 'x'.repeat(SECRET.length)],
    ['something very long', SECRET.repeat(1_000)],
  ])('refuses %s', (_what, given) => {
    expect(equals(given, SECRET)).toBe(false)
  })
})

it('secretCheck remembers nothing of what it was asked before', () => {
  const isSecret = secretCheck(new Secret(SECRET))
  expect([SECRET, SECRET.slice(0, -1), '', `${SECRET}x`, SECRET].map(isSecret)).toEqual([
    true,
    false,
    false,
    false,
    true,
  ])
})
