import { expect, it, vi } from 'vitest'
import { randomId } from './random-id.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it('is a UUID of version 4, also where the page may not make one by itself', () => {
  expect(randomId()).toMatch(UUID)
  const getRandomValues = crypto.getRandomValues.bind(crypto)
  vi.stubGlobal('crypto', { getRandomValues })
  try {
    expect(randomId()).toMatch(UUID)
    expect(randomId()).not.toBe(randomId())
  } finally {
    vi.unstubAllGlobals()
  }
})
