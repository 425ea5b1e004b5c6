import { type Operation, operationEntries } from '@atrium/contract'
import type { InputNotes } from '@atrium/contract/input-sentence'
import Type, { type TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../../tests/run/timed.ts'
import { ANY_TEXT, ANY_VALUE, boundsOf, overBound } from './bounds.ts'

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])
const marks = (count: number) => `a${'\u0301'.repeat(count)}`

const bounds = boundsOf(
  Type.Object({
    name: Type.String({ maxLength: 100 }),
    content: Type.String({ maxLength: 4_000 }),
    free: Type.String(),
    tags: Type.Array(Type.String({ maxLength: 500 }), { maxItems: 3 }),
    limit: Type.Union([Type.Integer(), Type.String({ maxLength: 1_000 })]),
    inside: Type.Object({ note: Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()]) }),
    query: Type.String({ anyText: true }),
  }) as object,
)

describe('the bounds of a value', () => {
  it.each<[string, object, object | undefined]>([
    ['a short text may have 1,024 units', { name: 'x'.repeat(1_024) }, undefined],
    ['and no more', { name: 'x'.repeat(1_025) }, { rule: 'textUnits', path: ['name'] }],
    ['a long one four for each character', { content: 'x'.repeat(16_000) }, undefined],
    ['and no more', { content: 'x'.repeat(16_001) }, { rule: 'textUnits', path: ['content'] }],
    ['one of no length 16,384', { free: 'x'.repeat(16_384) }, undefined],
    ['and no more', { free: 'x'.repeat(16_385) }, { rule: 'textUnits', path: ['free'] }],
    ['an unknown field too', { other: 'x'.repeat(16_385) }, { rule: 'textUnits', path: ['other'] }],
    ['a key 16,384', { ['k'.repeat(16_384)]: 1 }, undefined],
    ['and no more', { ['k'.repeat(16_385)]: 1 }, { rule: 'textUnits', path: ['k'.repeat(16_385)] }],
    ['thirty marks in a row', { name: marks(30) }, undefined],
    ['and no more', { name: marks(31) }, { rule: 'marksInARow', path: ['name'] }],
    ['in keys too', { [marks(31)]: 1 }, { rule: 'marksInARow', path: [marks(31)] }],
    ['whole characters', { name: '\u{1f44d}' }, undefined],
    ['and no halves', { name: 'a\ud83d' }, { rule: 'halfCharacters', path: ['name'] }],
    ['in keys neither', { ['\udc4d']: 1 }, { rule: 'halfCharacters', path: ['\udc4d'] }],
    ['in a text that may be any', { query: '\ud83d' }, undefined],
    ['a list as many as its schema says', { tags: ['', '', ''] }, undefined],
    ['and no more', { tags: ['', '', '', ''] }, { rule: 'items', path: ['tags'] }],
    ['each item its own', { tags: ['', 'x'.repeat(2_001)] }, { rule: 'textUnits', path: ['tags', '1'] }],
    ['the widest of several forms', { limit: 'x'.repeat(4_000) }, undefined],
    ['and no more', { limit: 'x'.repeat(4_001) }, { rule: 'textUnits', path: ['limit'] }],
    ['fields within fields', { inside: { note: 'x'.repeat(4_001) } }, { path: ['inside', 'note'] }],
    ['32 levels', { other: nested(31) }, undefined],
    ['and no more', { other: nested(32) }, { rule: 'depth' }],
    ['20,000 values and keys', { other: Array(19_997).fill(1) }, undefined],
    ['and no more', { other: Array(19_998).fill(1) }, { rule: 'values' }],
    ['a text that may be any', { query: marks(200_000) }, undefined],
    ['names of every object are no fields', { toString: 'x'.repeat(1_025), constructor: 1 }, undefined],
  ])('%s: %#', (_rule, value, found) => {
    if (found) expect(overBound(value, bounds)).toMatchObject(found)
    else expect(overBound(value, bounds)).toBeUndefined()
  })

  it('for a reader that judges texts itself are depth and width alone', () => {
    const texts = { [marks(40)]: { [`${'k'.repeat(20_000)}`]: [marks(40), 'x'.repeat(99_999)] } }
    expect(overBound(texts, ANY_TEXT)).toBeUndefined()
    expect(overBound(nested(33), ANY_TEXT)).toMatchObject({ rule: 'depth' })
    expect(overBound(Array(20_000).fill(1), ANY_TEXT)).toMatchObject({ rule: 'values' })
  })

  it.each<[string, () => unknown]>([
    ['lists without end', () => JSON.parse('['.repeat(130_000) + ']'.repeat(130_000))],
    ['many empty texts', () => Array(130_000).fill('')],
    ['many keys', () => Object.fromEntries(Array.from({ length: 19_000 }, (_, at) => [`${at}x`, 1]))],
    ['many short runs of marks', () => Array(9_000).fill(marks(6))],
    ['one text', () => marks(6).repeat(20_000)],
  ])('are looked at in time in proportion to it: %s', (_case, make) => {
    const value = make()
    expect(processorTime(() => overBound(value, ANY_VALUE))).toBeLessThan(100)
  })
})

type Described = TSchema & InputNotes & Record<string, unknown>

/** Every text and list that an input schema has, with a value of the whole in which it stands. */
function places(
  schema: Described,
  put: (value: unknown) => unknown,
): [Described, (value: unknown) => unknown][] {
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    properties?: Record<string, Described>
    items?: Described
    anyOf?: Described[]
  }
  return [
    [schema, put],
    ...Object.entries(properties).flatMap(([name, field]) =>
      places(field, (value) => put({ [name]: value })),
    ),
    ...(items ? places(items, (value) => put([value])) : []),
    ...anyOf.flatMap((form) => places(form, put)),
  ]
}

const parts = operationEntries.flatMap(([id, declared]) =>
  (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = (declared as Operation)[part] as Described | undefined
    return schema ? [[`${id} ${part}`, schema] as const] : []
  }),
)

describe.each(parts)('the input of %s', (_part, schema) => {
  const found = places(schema, (value) => value)
  const whole = boundsOf(schema as object)

  it('is refused before it is read where a text or list of it has no end', () => {
    for (const [{ type, maxItems = 0, anyText }, put] of found) {
      if (type === 'string' && !anyText)
        expect(overBound(put(marks(31)), whole)).toMatchObject({ rule: 'marksInARow' })
      if (type === 'array')
        expect(overBound(put(Array((maxItems as number) + 1).fill('')), whole)).toMatchObject({
          rule: 'items',
        })
    }
  })
})
