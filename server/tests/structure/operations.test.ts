import { type Operation, operationEntries } from '@atrium/contract'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { handlerPlaces, isHandlerFile, kebab } from '../../../scripts/generators/handler-places.ts'
import { type SourceFile, sourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const HANDLERS_RULE = 'ARCHITECTURE.md §3: one file per operation, its test beside it'
const TABLE_RULE = 'ARCHITECTURE.md §1: the table of operations is unambiguous'

const MODEL_RULE = 'CONTRIBUTING.md: the model of the office calls every operation, or says why it cannot'

type Entry = readonly [id: string, declared: Operation]
/** The part of JSON Schema that the input of an operation is made of. */
interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  maxLength?: number
  anyText?: true
  maxItems?: number
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
}

/** First segments of paths without a version (the interface, Versioning); everything else lies below /api/v1/. */
const UNVERSIONED = ['auth', 'user', 'members', 'memberships', 'presence', 'websocket', 'webhook', 'internal']
const UNVERSIONED_TOO = ['office', 'organization', 'rest', 'metrics', 'health']
const SEGMENT = /^([a-z0-9]+(-[a-z0-9]+)*|v[0-9]+|\{[a-z][a-zA-Z0-9]*\})$/

function handlerViolations(entries: readonly Entry[], files: readonly SourceFile[]): Violation[] {
  return entries.flatMap(([id, declared]) => {
    const wanted = `server/src/features/**/${kebab(id)}.ts`
    const found: Violation[] = []
    const places = handlerPlaces(id, declared)
    const isServed = files.some(({ path, code }) =>
      places.some(({ name, exports }) => isHandlerFile(path, name, '.ts') && exports.test(code)),
    )
    if (!isServed) found.push({ path: wanted, what: `no file of that name exports a function ${id}` })
    const tested = files.some(({ path }) => places.some(({ name }) => isHandlerFile(path, name, '.test.ts')))
    if (!tested)
      found.push({ path: wanted.replace('.ts', '.test.ts'), what: `nothing tests ${id} beside its handler` })
    return found
  })
}

/** Operations that the model of the office names nowhere: its own trial would say so only after a minute of engines. */
function modelViolations(entries: readonly Entry[], files: readonly SourceFile[]): Violation[] {
  const ofModel = files.filter(({ path }) => path.startsWith('engines/model/'))
  // what stands in a template is a blank
  const names = ofModel
    .flatMap(({ literals }) => literals.map(({ text }) => text))
    .filter((text) => /^\w+ ?\w*$/.test(text))
    .map((text) => new RegExp(`^${text.replace(' ', '[A-Z]\\w*')}$`))
  const isCalled = (id: string) => names.some((name) => name.test(id))
  const isListed = (id: string) => ofModel.some(({ code }) => code.includes(`\n  ${id}:`))
  return entries
    .filter(([id]) => !isCalled(id) && !isListed(id))
    .map(([id]) => ({ path: 'engines/model', what: `nothing calls ${id}, nor says why it cannot be called` }))
}

function tableViolations(entries: readonly Entry[]): Violation[] {
  const byRoute = Map.groupBy(
    entries,
    ([, { method, path }]) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
  )
  const doubles = [...byRoute].filter(([, list]) => list.length > 1)
  const found = doubles.map(([route, list]) => `${list.map(([id]) => id).join(' and ')} share ${route}`)
  for (const [id, declared] of entries) {
    for (const fault of faultsOf(declared, entries)) found.push(`${id}: ${fault}`)
  }
  return found.map((what) => ({ path: 'contract', what }))
}

function faultsOf(declared: Operation, entries: readonly Entry[]): string[] {
  const faults: string[] = []
  const { path, supersededBy } = declared
  const groups = [declared.params, declared.query, declared.body].map((group) =>
    Object.keys(group?.properties ?? {}),
  )
  const names = groups.flat()
  const collisions = names.filter((name, index) => names.indexOf(name) !== index)
  if (collisions.length > 0) faults.push(`${collisions.join(', ')} is in two of params, query and body`)
  const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  if (placeholders.join() !== groups[0]?.join()) faults.push(`params are not the placeholders of ${path}`)
  faults.push(...pathFaults(path))
  if (declared.method === 'GET' && declared.body) faults.push('GET has no body')
  const successor = entries.find(([id]) => id === supersededBy)
  if (supersededBy && (!successor || successor[1].supersededBy)) {
    faults.push(`supersededBy "${supersededBy}" is no current operation`)
  }
  for (const group of ['params', 'query', 'body'] as const) {
    const schema = declared[group] as Schema | undefined
    if (schema) faults.push(...unbounded(schema, group))
  }
  return faults
}

function pathFaults(path: string): string[] {
  const [empty, ...segments] = path.split('/')
  if (empty !== '' || segments.length === 0) return [`${path} does not begin with a slash`]
  const odd = segments.filter((segment) => !SEGMENT.test(segment))
  if (odd.length > 0) return [`${path}: "${odd.join('", "')}" is neither kebab-case nor a {placeholder}`]
  const versioned = segments[0] === 'api' && segments[1] === 'v1' && segments.length > 2
  if (versioned || [...UNVERSIONED, ...UNVERSIONED_TOO].includes(segments[0] ?? '')) return []
  return [`${path} lies neither below /api/v1/ nor in an unversioned chapter of the interface`]
}

/** Where an input has no end: a caller could send as much as the body limit allows. */
function unbounded(schema: Schema, at: string): string[] {
  if (schema.enum || schema.const !== undefined) return []
  if (schema.anyText) return []
  if (schema.type === 'string') return schema.maxLength === undefined ? [`${at} has no maxLength`] : []
  const alternatives = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
  const faults = alternatives.flatMap((alternative) => unbounded(alternative, at))
  if (schema.type === 'array') {
    if (schema.maxItems === undefined) faults.push(`${at} has no maxItems`)
    if (schema.items) faults.push(...unbounded(schema.items, `${at}[]`))
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    faults.push(...unbounded(property, `${at}.${name}`))
  }
  return faults
}

describe('operations', () => {
  it('have a handler and a test', () => {
    expectNone(HANDLERS_RULE, handlerViolations(operationEntries, sourceFiles()))
  })

  it('are called by the model of the office', () => {
    expectNone(MODEL_RULE, modelViolations(operationEntries, sourceFiles()))
  })

  it('are unambiguous and bounded', () => {
    expectNone(TABLE_RULE, tableViolations(operationEntries))
  })
})

const example: Operation = {
  method: 'POST',
  path: '/members/{id}/update',
  summary: 'An example',
  chapter: 'Members',
  access: { kind: 'session' },
  params: Type.Object({ id: Type.String({ maxLength: 20 }) }),
  body: Type.Object({ role: Type.Enum(['member', 'admin']) }),
  replies: { 200: null },
}

describe('the rules', () => {
  it('find a missing handler and test, and let an earlier path share them', () => {
    const earlier: Operation = { ...example, path: '/memberships/{id}', supersededBy: 'updateMember' }
    const entries: Entry[] = [
      ['updateMember', example],
      ['updateMembership', earlier],
    ]
    const files = [
      sourceFile('server/src/features/members/update-member.ts', 'export async function updateMember() {}'),
      sourceFile('server/src/features/members/update-member.test.ts', ''),
    ]
    expect(handlerViolations(entries, files)).toEqual([])
    expect(handlerViolations(entries, files.slice(1))).toHaveLength(2)
    expect(handlerViolations(entries, files.slice(0, 1))).toHaveLength(2)
  })

  it('let operations share a file where they differ only in the provider, each with a handler of its own', () => {
    const entries: Entry[] = [
      ['listProviderACalendars', example],
      ['listProviderBCalendars', example],
    ]
    const made = (a: string, b: string) => [
      sourceFile(
        'server/src/features/calendar/list-calendars.ts',
        `export const listProviderACalendars = ${a}\nexport const listProviderBCalendars = ${b}`,
      ),
      sourceFile('server/src/features/calendar/list-calendars.test.ts', ''),
    ]
    const whole = made("listCalendars('provider-a')", "listCalendars('provider-b')")
    expect(handlerViolations(entries, whole)).toEqual([])
    expect(handlerViolations(entries, whole.slice(1))).toHaveLength(2)
    expect(handlerViolations(entries, whole.slice(0, 1))).toHaveLength(2)
    const mistaken = made("listCalendars('provider-a')", "listCalendars('provider-a')")
    expect(handlerViolations(entries, mistaken)).toHaveLength(1)
    expect(handlerViolations([['continueWithProviderA', example]], whole)).toHaveLength(2)
  })

  it('find what the model of the office never calls', () => {
    const calls = 'ask("listRooms")\nask(`list$' + '{kind}Exports`)'
    const files = [
      sourceFile('engines/model/once/rooms.ts', calls),
      sourceFile('engines/model/once/tour.ts', 'const CANNOT = {\n  readTranscript: 1,\n}'),
    ]
    const called = ['listRooms', 'listUserExports', 'readTranscript']
    expect(
      modelViolations(
        called.map((id) => [id, example]),
        files,
      ),
    ).toEqual([])
    expect(modelViolations([['listRoomsAnew', example]], files)).toHaveLength(1)
  })

  it('accept a good operation, and find two on one route', () => {
    expect(tableViolations([['updateMember', example]])).toEqual([])
    const twin: Operation = {
      ...example,
      path: '/members/{name}/update',
      params: Type.Object({ name: Type.String({ maxLength: 20 }) }),
    }
    expect(
      tableViolations([
        ['updateMember', example],
        ['twin', twin],
      ]),
    ).toHaveLength(1)
  })

  it.each<[string, Partial<Operation>]>([
    ['a name in two places', { body: Type.Object({ id: Type.String({ maxLength: 9 }) }) }],
    ['a placeholder without its schema', { path: '/members/{other}/update' }],
    ['a path that is not kebab-case', { path: '/members/{id}/updateRole' }],
    ['a slash at the end', { path: '/members/{id}/' }],
    ['a path outside every chapter', { path: '/things/{id}' }],
    ['a string without an end', { body: Type.Object({ role: Type.Optional(Type.String()) }) }],
    [
      'a string without an end deep inside',
      { body: Type.Object({ list: Type.Array(Type.Union([Type.String(), Type.Null()]), { maxItems: 9 }) }) },
    ],
    ['a list without an end', { body: Type.Object({ list: Type.Array(Type.Integer()) }) }],
    ['a body on GET', { method: 'GET' }],
    ['a successor that does not exist', { supersededBy: 'absent' }],
  ])('find %s', (_, change) => {
    expect(tableViolations([['updateMember', { ...example, ...change }]])).toHaveLength(1)
  })
})
