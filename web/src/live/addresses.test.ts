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

  it('are found behind a name', () => {
    const text = 'Charles Babbage <charles@example.com>'
    expect(addressesOf(text).addresses).toContain('charles@example.com')
    expect(addressesOf('Ben Ace <ben@example.com> Cy <cy@example.com>').addresses).toEqual([
      'ben@example.com',
      'cy@example.com',
    ])
    expect(addressesOf('not an address, Ada <ada>').wrong).toEqual(['not an address', 'Ada <ada>'])
    expect(addressesOf('ada@example.com ben').wrong).toEqual(['ben'])
  })

  it('are told apart from what is none', () => {
    expect(addressesOf('ada@example, ben')).toEqual({ addresses: [], wrong: ['ada@example', 'ben'] })
    expect(addressesOf('  ')).toEqual({ addresses: [], wrong: [] })
  })
})
