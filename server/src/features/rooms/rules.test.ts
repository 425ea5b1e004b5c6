import { describe, expect, it } from 'vitest'
import type { UserId } from '../../platform/ids.ts'
import { faultOfMetadata, faultOfRoomName, isConnectionOf } from './rules.ts'

describe('who an identity is', () => {
  it('is one of a person only as a whole', () => {
    const user = '42' as UserId
    expect(['42', '42#', '42#x'].every((one) => isConnectionOf(one, user))).toBe(true)
    expect(['420', '4', 'x42', 'guest:42', '42x#'].some((one) => isConnectionOf(one, user))).toBe(false)
  })
})

describe('what a room may be called and carry', () => {
  it('is any text', () => {
    expect(faultOfRoomName('🏢'.repeat(255))).toBeUndefined()
    expect(faultOfRoomName('🏢'.repeat(256))).toMatch('255')
    expect(faultOfRoomName('a\0')).toMatch('text')
  })

  it('is what the database can keep', () => {
    expect(faultOfMetadata({ a: '\\u0000', b: [{ c: '\\' }] })).toBeUndefined()
    expect(faultOfMetadata({ a: '\0' })).toMatch('text')
    expect(faultOfMetadata({ a: '\\\0' })).toMatch('text')
    expect(faultOfMetadata({ '\ud800': 1 })).toMatch('text')
  })
})
