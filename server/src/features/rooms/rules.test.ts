import { describe, expect, it } from 'vitest'
import type { UserId } from '../../platform/ids.ts'
import { faultOfMetadata, isConnectionOf, requireRoomName } from './rules.ts'

describe('who an identity is', () => {
  it('is one of a person only as a whole', () => {
    const user = '42' as UserId
    expect(['42', '42#', '42#x'].every((one) => isConnectionOf(one, user))).toBe(true)
    expect(['420', '4', 'x42', 'guest:42', '42x#'].some((one) => isConnectionOf(one, user))).toBe(false)
  })
})

describe('what a room may be called and carry', () => {
  it('is text that can be read, in one form, and never a UUID', () => {
    expect(requireRoomName('🏢'.repeat(255))).toBe('🏢'.repeat(255))
    expect(requireRoomName(' Cafe\u0301 ')).toBe('Café')
    expect(() => requireRoomName('🏢'.repeat(256))).toThrow('255')
    expect(() => requireRoomName('a\0')).toThrow('control')
    for (const uuid of [
      '0b6f8f0e-6f5f-4c57-9a3a-5f6f2e1d7a10',
      '0B6F8F0E6F5F4C579A3A5F6F2E1D7A10',
      '{0b6f8f0e-6f5f-4c57-9a3a-5f6f2e1d7a10}',
      'urn:uuid:0b6f8f0e-6f5f-4c57-9a3a-5f6f2e1d7a10',
    ])
      expect(() => requireRoomName(uuid)).toThrow('UUID')
  })

  it('is what the database can keep', () => {
    expect(faultOfMetadata({ a: '\\u0000', b: [{ c: '\\' }] })).toBeUndefined()
    expect(faultOfMetadata({ a: '\0' })).toMatch('cannot be stored')
    expect(faultOfMetadata({ a: '\\\0' })).toMatch('cannot be stored')
    expect(faultOfMetadata({ '\ud800': 1 })).toMatch('cannot be stored')
  })
})
