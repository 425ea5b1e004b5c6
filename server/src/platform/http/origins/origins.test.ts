import { describe, expect, it } from 'vitest'
import { allowsOrigin, anyPortOf } from './origins.ts'

const ORIGINS = ['https://app.example', anyPortOf('http://localhost:3000')]

describe('a list of origins', () => {
  it.each(['https://app.example', 'http://localhost', 'http://localhost:3000', 'http://localhost:5173'])(
    'names %s',
    (origin) => {
      expect(allowsOrigin(ORIGINS, origin)).toBe(true)
    },
  )

  it.each([
    'https://APP.example',
    'https://app.example:8443',
    'https://app.example.evil.example',
    'https://localhost:3000',
    'http://localhost.evil.example',
    'http://localhost:3000.evil.example',
    'http://localhost:',
    'http://localhost:*',
    'null',
    '',
  ])('does not name %j', (origin) => {
    expect(allowsOrigin(ORIGINS, origin)).toBe(false)
  })
})
