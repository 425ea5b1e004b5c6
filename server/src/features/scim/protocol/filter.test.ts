import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../../tests/run/timed.ts'
import type { Complex } from './attributes.ts'
import { ScimFault } from './faults.ts'
import { comparators, type Filter, parseFilter } from './filter.ts'
import { testOf } from './match.ts'
import { USERS } from './resource-kinds.ts'

const ADA: Complex = {
  schemas: [USERS.schema],
  id: 'Aa',
  userName: 'Ada',
  name: { givenName: 'Ada', familyName: 'King' },
  displayName: '',
  active: true,
  emails: [
    { value: 'ada@work.example', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
  ],
  meta: { created: '2026-01-01T00:00:00.000Z', lastModified: '2026-02-01T00:00:00.000Z' },
}

function fits(filter: string): boolean {
  return testOf(USERS, parseFilter(filter))(ADA)
}

describe('a filter', () => {
  it.each([
    // every operator, as RFC 7644 has them; text is compared in any case unless it is an id
    ['userName eq "ADA"', true],
    ['USERNAME EQ "ada"', true],
    ['userName eq "ad"', false],
    ['userName ne "bob"', true],
    ['userName ne "ada"', false],
    ['externalId ne "x"', true],
    ['externalId eq "x"', false],
    ['userName co "D"', true],
    ['userName sw "a"', true],
    ['userName sw "d"', false],
    ['userName ew "A"', true],
    ['userName gt "aca"', true],
    ['userName gt "ada"', false],
    ['userName ge "ada"', true],
    ['userName lt "b"', true],
    ['userName le "ada"', true],
    ['userName pr', true],
    ['displayName pr', false],
    ['externalId pr', false],
    ['id eq "aa"', false],
    ['id eq "Aa"', true],
    ['active eq true', true],
    ['active eq "True"', true],
    ['active ne true', false],
    ['externalId eq null', true],
    ['externalId ne null', false],
    ['userName eq null', false],
    ['meta.lastModified gt "2026-01-31T23:00:00+01:00"', true],
    ['meta.created lt "2025-12-31T00:00:00Z"', false],
    ['name.familyName co "in"', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:name.familyName eq "king"', true],
    // several values: one of them is enough
    ['emails co "home"', true],
    ['emails.type eq "home"', true],
    ['emails[type eq "work" and value ew "home.example"]', false],
    ['emails[type eq "home" and value ew "home.example"]', true],
    ['emails[type eq "work"].value eq "ada@work.example"', true],
    ['emails[not (type eq "work")]', true],
    ['emails[primary eq true]', true],
    // precedence, grouping, not
    ['userName eq "x" and userName eq "x" or active eq true', true],
    ['userName eq "x" and (userName eq "x" or active eq true)', false],
    ['active eq true or userName eq "x" and userName eq "x"', true],
    ['not (userName eq "ada")', false],
    ['not(userName eq "x")and active eq true', true],
    [String.raw`userName eq "\u0041da"`, true],
    ['  userName   eq  "ada"  ', true],
  ])('%s: %s', (filter, expected) => {
    expect(fits(filter)).toBe(expected)
  })

  it.each([
    '',
    'userName',
    'userName eq',
    'userName eq ada',
    'userName eq "ada',
    'userName is "ada"',
    'userName eq "ada" and',
    'and userName eq "ada"',
    '(userName eq "ada"',
    'userName eq "ada")',
    'userName eq "ada" "bob"',
    'emails[type eq "work"',
    'emails[]',
    'emails[type eq "work"].',
    'emails[other eq "work"] or nothing eq "x"',
    'not userName eq "ada"',
    'nothing eq "x"',
    'nothing ne "x"',
    'not (nothing pr)',
    'userName eq "ada" or nothing eq "x"',
    'emails.nothing eq "x"',
    'emails[nothing eq "x"]',
    'emails[type eq "work"].nothing eq "x"',
    // of the standard, and in none of our schemas: a search by it would find no user
    'title eq "x"',
    'phoneNumbers.value eq "1"',
    'emails[display pr]',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "x"',
    'urn:ietf:params:scim:schemas:extension:other:2.0:User:nothing eq "x"',
    'userName.other eq "x"',
    '__proto__ pr',
    'constructor.name eq "Object"',
    'userName eq 7',
    'userName gt null',
    'active gt true',
    'active eq "perhaps"',
    'name eq "Ada"',
    'userName[x eq "y"]',
    'meta.created gt "yesterday"',
    String.raw`userName eq "\x"`,
    `${'('.repeat(2_000)}userName pr${')'.repeat(2_000)}`,
    `userName eq "${'a'.repeat(5_000)}"`,
    `${'emails['.repeat(500)}`,
  ])('that cannot be meant is refused: %s', (filter) => {
    expect(() => fits(filter)).toThrow(expect.objectContaining({ scimType: 'invalidFilter', status: 400 }))
  })

  it('never does anything else with hostile text, nor for long', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '(',
        ')',
        '[',
        ']',
        '.',
        ' and ',
        ' or ',
        'not ',
        ' eq ',
        ' pr',
        '"',
        '\\',
        'emails',
        'userName',
        'true',
        '-1e5',
        'urn:x:',
      ),
      fc.string({ maxLength: 8, unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const took = processorTime(() => {
          try {
            fits(parts.join(''))
          } catch (error) {
            expect(error).toBeInstanceOf(ScimFault)
          }
        })
        expect(took).toBeLessThan(1_000)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is read as it was written, whatever is nested in it', () => {
    fc.assert(
      fc.property(anyFilter(5), (filter) => {
        expect(parseFilter(written(filter))).toEqual(filter)
      }),
    )
  })
})

/** Any filter, of a depth. */
function anyFilter(depth: number): fc.Arbitrary<Filter> {
  const path = fc.constantFrom('userName', 'name.givenName', 'emails.value', 'id')
  const value = fc.oneof(fc.string({ maxLength: 20 }), fc.boolean(), fc.constant(null), fc.integer())
  const leaf: fc.Arbitrary<Filter> = fc.oneof(
    fc.record({ kind: fc.constant('present' as const), path }),
    fc.record({
      kind: fc.constant('compare' as const),
      path,
      operator: fc.constantFrom(...comparators),
      value,
    }),
  )
  if (depth === 0) return leaf
  const inner = anyFilter(depth - 1)
  return fc.oneof(
    leaf,
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), one: inner, other: inner }),
    fc.record({ kind: fc.constant('not' as const), filter: inner }),
    fc.record({ kind: fc.constant('value' as const), path: fc.constant('emails'), filter: inner }),
  )
}

function written(filter: Filter): string {
  switch (filter.kind) {
    case 'present':
      return `${filter.path} pr`
    case 'compare':
      return `${filter.path} ${filter.operator} ${JSON.stringify(filter.value)}`
    case 'not':
      return `not (${written(filter.filter)})`
    case 'value':
      return `${filter.path}[${written(filter.filter)}]`
    default:
      return `(${written(filter.one)}) ${filter.kind} (${written(filter.other)})`
  }
}
