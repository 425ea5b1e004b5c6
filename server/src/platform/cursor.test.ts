import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { Refusal } from './refusal.ts'

const NOON = { at: new Date('2026-11-21T12:00:00.000Z'), id: '42' }

describe('a cursor', () => {
  it('comes back as the place it was made from, url-safe', () => {
    const cursor = encodeCursor(NOON)
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(decodeCursor(cursor, 'after')).toEqual(NOON)
  })

  const text = (json: string) => Buffer.from(json).toString('base64url')
  it.each([
    ['empty', ''],
    ['not base64url', 'a+b/='],
    ['not JSON', text('[')],
    ['another shape', text('{"id":"1"}')],
    ['a member too many', text('["2026-11-21T12:00:00Z","1",2]')],
    ['a value outside its format', text('["yesterday","1"]')],
    ['an id that is none', text('["2026-11-21T12:00:00Z","1; drop table"]')],
    ['null', text('null')],
    ['too long', text(`["2026-11-21T12:00:00Z","1"${' '.repeat(600)}]`)],
  ])('is refused where it is %s', (_case, cursor) => {
    const refusal = refusalOf(cursor)
    expect(refusal.kind).toBe('invalid')
    expect(refusal.details).toEqual([
      { field: 'after', message: 'Give a cursor of an earlier reply of this list as after' },
    ])
  })

  it('never fails in any other way, for any text', () => {
    fc.assert(fc.property(fc.string(), (cursor) => refusalOf(cursor) instanceof Refusal))
  })

  it('is not made longer than it would be taken', () => {
    expect(() => encodeCursor({ ...NOON, id: 'x'.repeat(500) })).toThrow('would not be taken back')
  })
})

function refusalOf(cursor: string): Refusal {
  try {
    decodeCursor(cursor, 'after')
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('the cursor was taken')
}
