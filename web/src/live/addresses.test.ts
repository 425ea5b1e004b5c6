import { describe, expect, it } from 'vitest'
import { addressesOf } from './addresses.ts'

describe('addresses in a text', () => {
  it('are found between commas, lines and brackets, each once', () => {
    const text = 'ada@example.com, <ben@example.com>\nADA@example.com;cy@example.org'
    expect(addressesOf(text)).toEqual({
      addresses: ['ADA@example.com', 'ben@example.com', 'cy@example.org'],
      wrong: [],
    })
  })

  it('are told apart from what is none', () => {
    expect(addressesOf('ada@example, ben')).toEqual({ addresses: [], wrong: ['ada@example', 'ben'] })
    expect(addressesOf('  ')).toEqual({ addresses: [], wrong: [] })
  })
})
