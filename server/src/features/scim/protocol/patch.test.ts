import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../../tests/run/timed.ts'
import type { Complex, ResourceKind } from './attributes.ts'
import { ScimFault } from './faults.ts'
import { patched as readPatch } from './patch.ts'
import { GROUPS, USERS } from './resource-kinds.ts'

const WORK = { value: 'ada@work.example', type: 'work', primary: true }
const ADA: Complex = {
  schemas: [USERS.schema],
  id: '7',
  userName: 'ada',
  name: { givenName: 'Ada', familyName: 'King' },
  active: true,
  emails: [WORK],
}
const TEAM: Complex = { id: '3', displayName: 'Team', members: [{ value: '1' }, { value: '2' }] }

/** As a reader that takes all of it or nothing. */
function patched(kind: ResourceKind, resource: Complex, body: unknown): Complex {
  const { resource: after, fault } = readPatch(kind, resource, body)
  if (fault) throw fault
  return after
}

const patch = (...Operations: unknown[]) => patched(USERS, ADA, { Operations })
const patchTeam = (...Operations: unknown[]) => patched(GROUPS, TEAM, { Operations })

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)
/** The same name in many ways of capitals. */
const spellings = (name: string, count: number) =>
  numbers(count).map((n) =>
    [...name].map((letter, at) => ((n >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  )

describe('a patch', () => {
  it.each<[string, object]>([
    [
      'keys that are paths',
      { op: 'add', value: Object.fromEntries(numbers(5_000).map((n) => [`members[value eq "a${n}"]`, {}])) },
    ],
    [
      'a path in many spellings',
      { op: 'add', value: Object.fromEntries(spellings('members.value', 5_000).map((key) => [key, '1'])) },
    ],
    [
      'a long filter',
      {
        op: 'remove',
        path: `members[${numbers(220)
          .map((n) => `value eq "${n}"`)
          .join(' or ')}]`,
      },
    ],
  ])('that would look at a large group again and again, by %s, is refused at once', (_name, operation) => {
    const large = { ...TEAM, members: numbers(10_000).map((n) => ({ value: `${n}` })) }
    const began = process.cpuUsage()
    const refused = () => patched(GROUPS, large, { Operations: [operation] })
    expect(refused).toThrow(expect.objectContaining({ status: 400, scimType: 'tooMany' }))
    expect(process.cpuUsage(began).user).toBeLessThan(5_000_000)
    // as directories do it
    const ordinary = numbers(100).map((n) => ({ op: 'remove', path: `members[value eq "${n}"]` }))
    expect(patched(GROUPS, large, { Operations: ordinary }).members).toHaveLength(9_900)
  })

  it('as much of it as is allowed at once holds the process for a fraction of a second', () => {
    const path = `members[${numbers(60)
      .map((n) => `value eq "x${n}"`)
      .join(' or ')}]`
    const Operations = numbers(60).map(() => ({ op: 'remove', path }))
    const group = { ...TEAM, members: numbers(500).map((n) => ({ value: `${n}` })) }
    const took = numbers(3).map(() => processorTime(() => patched(GROUPS, group, { Operations })))
    expect(Math.min(...took)).toBeLessThan(350)
  })

  it.each<[string, object, object]>([
    ['adds an attribute', { op: 'add', path: 'externalId', value: 'e' }, { externalId: 'e' }],
    ['replaces one', { op: 'replace', path: 'USERNAME', value: 'grace' }, { userName: 'grace' }],
    [
      'replaces one that is not there',
      { op: 'replace', path: 'displayName', value: 'A' },
      { displayName: 'A' },
    ],
    ['takes null for removing', { op: 'replace', path: 'externalId', value: null }, {}],
    [
      'changes a part',
      { op: 'replace', path: 'name.familyName', value: 'L' },
      { name: { givenName: 'Ada', familyName: 'L' } },
    ],
    ['removes a part', { op: 'remove', path: 'name.familyName' }, { name: { givenName: 'Ada' } }],
    [
      'keeps the parts that are not named',
      { op: 'replace', path: 'name', value: { familyName: 'L' } },
      { name: { givenName: 'Ada', familyName: 'L' } },
    ],
    ['names the schema', { op: 'add', path: `${USERS.schema}:externalId`, value: 'e' }, { externalId: 'e' }],
    [
      'reads capitals and text booleans as Entra writes them',
      { op: 'Replace', path: 'active', value: 'False' },
      { active: false },
    ],
    [
      'takes an object without path, as Okta sends',
      { op: 'replace', value: { active: false, id: 'other' } },
      { active: false },
    ],
    [
      'takes paths as keys of an object',
      { op: 'Add', value: { 'name.givenName': 'A', 'emails[type eq "work"].value': 'x@y.example' } },
      { name: { givenName: 'A', familyName: 'King' }, emails: [{ ...WORK, value: 'x@y.example' }] },
    ],
    [
      'lets extensions pass',
      {
        op: 'add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'x',
      },
      {},
    ],
    [
      'lets extensions of any vendor pass',
      {
        op: 'add',
        path: 'urn:contoso:scim:schemas:extension:1.0:User:costCenter',
        value: 'x',
      },
      {},
    ],
    [
      'reads what stands within its own schema',
      { op: 'replace', value: { [USERS.schema.toUpperCase()]: { active: false, 'name.familyName': 'L' } } },
      { active: false, name: { givenName: 'Ada', familyName: 'L' } },
    ],
    [
      'lets extensions of any vendor pass without a path',
      { op: 'add', value: { 'urn:okta:x:1.0:user:custom:attr': 'x', 'urn:x': { deep: {} } } },
      {},
    ],
    [
      'lets whole extensions pass',
      {
        op: 'add',
        value: { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'x' } },
      },
      {},
    ],
    [
      'lets attributes of the standard pass that are not kept',
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '1' },
      {},
    ],
    [
      'changes the value that fits',
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'new@work.example' },
      { emails: [{ ...WORK, value: 'new@work.example' }] },
    ],
    [
      'merges into the value that fits',
      { op: 'replace', path: 'emails[primary eq true]', value: { type: 'home' } },
      { emails: [{ ...WORK, type: 'home' }] },
    ],
    [
      'makes the value that an added part needs',
      { op: 'add', path: 'emails[type eq "home"].value', value: 'h@home.example' },
      { emails: [WORK, { type: 'home', value: 'h@home.example' }] },
    ],
    [
      'adds to several',
      { op: 'add', path: 'emails', value: { value: 'h@home.example' } },
      { emails: [WORK, { value: 'h@home.example' }] },
    ],
    ['adds nothing twice', { op: 'add', path: 'emails', value: [WORK] }, {}],
    [
      'leaves one primary value',
      { op: 'add', path: 'emails', value: [{ value: 'n@x.example', primary: true }] },
      {
        emails: [
          { ...WORK, primary: false },
          { value: 'n@x.example', primary: true },
        ],
      },
    ],
    [
      'replaces several',
      { op: 'replace', path: 'emails', value: [{ value: 'n@x.example' }] },
      { emails: [{ value: 'n@x.example' }] },
    ],
    ['removes nothing where nothing fits', { op: 'remove', path: 'emails[type eq "home"]' }, {}],
  ])('%s', (_what, operation, expected) => {
    expect(patch(operation)).toEqual({ ...ADA, ...expected })
  })

  it('reads members as Entra and Okta send them', () => {
    expect(
      patchTeam({ op: 'Add', path: 'members', value: [{ value: '3' }, { value: '1' }] }).members,
    ).toEqual([{ value: '1' }, { value: '2' }, { value: '3' }])
    expect(patchTeam({ op: 'Remove', path: 'members', value: [{ value: '2' }] }).members).toEqual([
      { value: '1' },
    ])
    expect(patchTeam({ op: 'remove', path: 'members[value eq "2"]' }).members).toEqual([{ value: '1' }])
    expect(patchTeam({ op: 'replace', path: 'members', value: [{ value: '9' }] }).members).toEqual([
      { value: '9' },
    ])
    expect(patchTeam({ op: 'remove', path: 'members' })).not.toHaveProperty('members')
    const renamed = patchTeam({ op: 'replace', value: { id: '3', displayName: 'Crew' } })
    expect(renamed).toEqual({ ...TEAM, displayName: 'Crew' })
  })

  it.each<[string, string, unknown]>([
    ['invalidSyntax', 'an unknown op', { op: 'move', path: 'userName', value: 'x' }],
    ['invalidSyntax', 'no object', 'replace'],
    ['invalidPath', 'an unknown path', { op: 'replace', path: 'nothing', value: 'x' }],
    ['invalidPath', 'an unknown part', { op: 'replace', path: 'name.nothing', value: 'x' }],
    ['invalidPath', 'the prototype', { op: 'add', path: '__proto__.polluted', value: 'x' }],
    ['invalidPath', 'values of one', { op: 'replace', path: 'name[givenName eq "x"]', value: 'x' }],
    ['invalidPath', 'a path that is no text', { op: 'replace', path: 7, value: 'x' }],
    [
      'invalidPath',
      'a path that ends too early',
      { op: 'replace', path: 'emails[type eq "work"', value: 'x' },
    ],
    [
      'invalidFilter',
      'a filter that is none',
      { op: 'replace', path: 'emails[type is "work"].value', value: 'x' },
    ],
    ['noTarget', 'nothing to remove', { op: 'remove' }],
    ['invalidFilter', 'an unknown part', { op: 'replace', path: 'emails[nothing eq "x"].value', value: 'x' }],
    [
      'noTarget',
      'a part that is never kept',
      { op: 'replace', path: 'emails[display eq "x"].value', value: 'x' },
    ],
    ['noTarget', 'no value that fits', { op: 'replace', path: 'emails[type eq "home"].value', value: 'x' }],
    ['mutability', 'an id', { op: 'replace', path: 'id', value: '8' }],
    ['mutability', 'groups', { op: 'add', path: 'groups', value: [{ value: '3' }] }],
    ['mutability', 'meta', { op: 'remove', path: 'meta.created' }],
    ['mutability', 'the userName taken away', { op: 'remove', path: 'userName' }],
    ['invalidValue', 'a value of another type', { op: 'replace', path: 'userName', value: {} }],
    ['invalidValue', 'a boolean that is none', { op: 'replace', path: 'active', value: 'perhaps' }],
    ['invalidValue', 'no object without a path', { op: 'replace', value: 'x' }],
  ])('is refused (%s) with %s', (scimType, _what, operation) => {
    expect(() => patch(operation)).toThrow(expect.objectContaining({ scimType, status: 400 }))
  })

  it.each([
    undefined,
    null,
    [],
    {},
    { Operations: [] },
    { Operations: {} },
    { Operations: Array(201).fill({}) },
  ])('is refused where it has no operations: %j', (body) => {
    expect(() => patched(USERS, ADA, body)).toThrow(expect.objectContaining({ scimType: 'invalidSyntax' }))
  })

  it('is all or nothing, and leaves the resource that it is given', () => {
    const before = structuredClone(ADA)
    expect(() =>
      patch({ op: 'replace', path: 'userName', value: 'x' }, { op: 'replace', path: 'id', value: '8' }),
    ).toThrow(ScimFault)
    patch({ op: 'add', path: 'emails', value: [{ value: 'n@x.example', primary: true }] })
    expect(ADA).toEqual(before)
  })

  it.each([
    [{ op: 'replace', path: 'roles[primary eq "True"].value', value: 'guest' }],
    [{ op: 'Replace', path: 'roles', value: [{ value: 'guest', primary: 'True', type: 'x', display: 'x' }] }],
    [{ op: 'replace', value: { roles: [{ value: 'guest', primary: true }] } }],
    [{ op: 'add', value: { 'roles[primary eq "True"].value': 'guest' } }],
  ])('hears which role is said: %j', (operation) => {
    for (const roles of [[{ value: 'member', primary: true }], undefined]) {
      const before = roles ? { ...ADA, roles } : ADA
      const { resource, fault } = readPatch(USERS, before, { Operations: [operation] })
      expect(fault).toBeUndefined()
      expect(resource.roles).toEqual([{ value: 'guest', primary: true }])
    }
  })

  it.each<[string, unknown]>([
    ['an unknown attribute', { op: 'replace', path: 'nothing', value: 'x' }],
    ['an unknown op', { op: 'move', path: 'userName', value: 'x' }],
    ['no object', 7],
    ['a path over its bound', { op: 'replace', path: 'x'.repeat(5_000), value: 'x' }],
    ['a text over its bound', { op: 'replace', path: 'displayName', value: 'x'.repeat(2_000) }],
    ['more marks than any writing has', { op: 'replace', value: { displayName: `a${'\u0301'.repeat(31)}` } }],
  ])('says what its other operations make of the resource beside %s', (_what, refused) => {
    const deactivation = { op: 'Replace', path: 'active', value: 'False' }
    for (const Operations of [
      [refused, deactivation],
      [deactivation, refused],
    ]) {
      const { resource, fault } = readPatch(USERS, ADA, { Operations })
      expect(fault).toBeInstanceOf(ScimFault)
      expect(resource).toEqual({ ...ADA, active: false })
    }
  })

  it('passes over members with ids over their bound, and reads the others', () => {
    const value = [{ value: '1' }, { value: '9'.repeat(2_000) }]
    const { resource, fault } = readPatch(GROUPS, TEAM, {
      Operations: [{ op: 'replace', path: 'members', value }],
    })
    expect(fault).toMatchObject({ scimType: 'invalidValue' })
    expect(resource.members).toEqual([{ value: '1' }])
  })

  it('of more than 200 operations says so, and what it takes away', () => {
    const many = numbers(200).map((n) => ({ op: 'replace', path: 'title', value: `T${n}` }))
    const { resource, fault } = readPatch(USERS, ADA, {
      Operations: [{ op: 'replace', path: 'active', value: false }, ...many],
    })
    expect(fault).toMatchObject({ scimType: 'invalidSyntax', message: expect.stringContaining('200') })
    expect(resource).toMatchObject({ active: false })
  })

  it('is refused where its schemas are over their bound', () => {
    for (const schemas of [['x'.repeat(17_000)], 'x'.repeat(20_000), [`a${'\u0301'.repeat(31)}`]])
      expect(() =>
        patched(USERS, ADA, { schemas, Operations: [{ op: 'replace', path: 'active', value: false }] }),
      ).toThrow(ScimFault)
  })

  it('is refused in words of SCIM whatever it holds, and pollutes no prototype', () => {
    const name = fc.constantFrom(
      'userName',
      'emails',
      'name',
      'active',
      '__proto__',
      'constructor',
      'meta',
      'emails[type eq "work"]',
      'name.givenName',
      'emails.value',
    )
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constant(
        JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}'),
      ),
    )
    const operation = fc.record(
      {
        op: fc.constantFrom('add', 'replace', 'remove', 'Add', 'Replace', 'Remove'),
        path: fc.oneof(name, fc.string({ maxLength: 20 })),
        value: fc.oneof(
          value,
          fc.dictionary(fc.oneof(name, fc.string({ maxLength: 12 })), value, { maxKeys: 4 }),
        ),
      },
      { requiredKeys: ['op'] },
    )
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 6 }), (operations) => {
        let after: Complex | undefined
        try {
          after = patched(USERS, ADA, { Operations: operations })
        } catch (error) {
          expect(error).toBeInstanceOf(ScimFault)
        }
        expect({}).not.toHaveProperty('polluted')
        if (!after) return
        expect(typeof after.userName).toBe('string')
        expect(after.id).toBe('7')
        const known = [
          'schemas',
          'roles',
          'externalId',
          'id',
          'userName',
          'name',
          'displayName',
          'active',
          'emails',
        ]
        expect(Object.keys(after).filter((key) => !known.includes(key))).toEqual([])
        const emails = (after.emails ?? []) as Complex[]
        expect(emails.filter(({ primary }) => primary === true).length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 2_000 },
    )
  })

  it('gives what was asked for, whatever was there: replace, then read', () => {
    const email = fc.record({
      value: fc.string({ minLength: 1, maxLength: 9 }),
      type: fc.constantFrom('work', 'home'),
    })
    fc.assert(
      fc.property(
        fc.uniqueArray(email, { selector: ({ value }) => value, minLength: 1, maxLength: 5 }),
        (emails) => {
          expect(patch({ op: 'replace', path: 'emails', value: emails }).emails).toEqual(emails)
          // adding the same again changes nothing
          const twice = patch(
            { op: 'replace', path: 'emails', value: emails },
            { op: 'add', path: 'emails', value: emails },
          )
          expect(twice.emails).toEqual(emails)
        },
      ),
    )
  })
})
