import fc from 'fast-check'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { Refusal } from './refusal.ts'

const place = Type.Tuple([
  Type.String({ format: 'date-time' }),
  Type.String({ pattern: '^[1-9][0-9]{0,18}$' }),
])

describe('a cursor', () => {
  it('comes back as the place it was made from, url-safe', () => {
    const cursor = encodeCursor(place, ['2026-11-21T12:00:00.000Z', '42'])
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(decodeCursor(place, cursor, 'after')).toEqual(['2026-11-21T12:00:00.000Z', '42'])
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

  it('never fails in any other way, whatever the text', () => {
    fc.assert(fc.property(fc.string(), (cursor) => refusalOf(cursor) instanceof Refusal))
  })

  it('is not made longer than it would be taken', () => {
    expect(() => encodeCursor(Type.Tuple([Type.String()]), ['x'.repeat(500)])).toThrow(
      'would not be taken back',
    )
  })
})

function refusalOf(cursor: string): Refusal {
  try {
    decodeCursor(place, cursor, 'after')
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('the cursor was taken')
}
