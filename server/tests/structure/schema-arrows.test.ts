import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type SchemaStatement,
  schemaFiles,
  schemaStatements,
} from '../../src/platform/database/schema/schema-files.ts'
import { DIRECTIONS, FEATURE_READS, layerOf, roomOf } from './layers.ts'
import { SCHEMA_ARROWS } from './schema-arrows.ts'
import { isTest, type SourceFile, sourceFiles } from './source-files.ts'
import { TABLE_OWNERS } from './table-owners.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'ARCHITECTURE.md §5: what happens in SQL points the same way as imports'

/** From one room to another, and what of it is named. */
interface Arrow {
  from: string
  to: string
  what: string
  line: number
  path: string
}

/** The statement without comments and texts: names of tables and functions are left. */
function codeOf(statement: string): string {
  return statement.replaceAll(/--[^\n]*|'(?:[^']|'')*'/g, ' ')
}

const TABLE = /\b(?:from|join|update|into|on|table|using|,)\s+(?:only\s+)?(\w+)/gi
const CALL = /\b(\w+)\s*\(/g

/** Where each function stands. */
function placesOf(statements: readonly SchemaStatement[]): Map<string, string> {
  return new Map(statements.filter(({ kind }) => kind === 'function').map(({ name, path }) => [name, path]))
}

function arrowsOf(statements: readonly SchemaStatement[], places: ReadonlyMap<string, string>): Arrow[] {
  return statements.flatMap(({ path, line, text }) => {
    const code = codeOf(text)
    const tables = [...code.matchAll(TABLE)].map(([, name = '']) => [name, TABLE_OWNERS[name]] as const)
    const calls = [...code.matchAll(CALL)].map(([, name = '']) => [name, places.get(name)] as const)
    const from = roomOf(path)
    const named = new Map([...tables, ...calls].filter(([, owner]) => owner !== undefined))
    return [...named]
      .map(([what, owner]) => ({ from, to: roomOf(`${owner}/`), what, line, path }))
      .filter((arrow) => arrow.to !== from)
  })
}

/** Whether TypeScript of that room could import the other. */
function isAllowed({ from, to }: Pick<Arrow, 'from' | 'to'>): boolean {
  const [fromLayer, toLayer] = [from, to].map((room) =>
    layerOf(`${room.startsWith('server/') ? room : `server/src/${room}`}/`),
  )
  if (!fromLayer || !toLayer) return false
  if (fromLayer === 'features' && toLayer === 'features')
    return FEATURE_READS.some((pair) => pair.from === posix.basename(from) && pair.to === posix.basename(to))
  return DIRECTIONS[fromLayer].any.includes(toLayer)
}

function violationsOf(
  statements: readonly SchemaStatement[],
  places: ReadonlyMap<string, string>,
): Violation[] {
  return arrowsOf(statements, places)
    .filter((arrow) => !isAllowed(arrow))
    .filter(
      ({ from, to, what }) =>
        !SCHEMA_ARROWS.some((known) => known.from === from && known.to === to && known.what.includes(what)),
    )
    .map(({ path, line, from, to, what }) => ({ path, line, what: `${from} names ${what} of ${to}` }))
}

/** Statements of TypeScript that call a function of the database. */
function callsOf({ path, literals }: SourceFile): SchemaStatement[] {
  return literals.map(({ text, line }) => ({ path, line, kind: 'right', name: '', text: callsIn(text) }))
}

/** Tables that TypeScript names are looked at by table-owners.test.ts. */
function callsIn(text: string): string {
  return [...text.matchAll(CALL)].map(([call]) => call).join(' ')
}

const files = schemaFiles()
const places = placesOf(files)
const typescript = sourceFiles()
  .filter(({ path }) => path.startsWith('server/src/') && !isTest(path))
  .flatMap(callsOf)

describe('the arrows of schema.sql', () => {
  it('point the same way as imports, or have a reason', () => {
    expectNone(RULE, violationsOf([...files, ...typescript], places))
  })

  it('have no reason that is no longer needed', () => {
    const arrows = arrowsOf([...files, ...typescript], places).filter((arrow) => !isAllowed(arrow))
    const unused = SCHEMA_ARROWS.flatMap(({ from, to, what }) =>
      what
        .filter(
          (name) => !arrows.some((arrow) => arrow.from === from && arrow.to === to && arrow.what === name),
        )
        .map((name) => ({
          path: from,
          what: `no longer names ${name} of ${to}: take it out of SCHEMA_ARROWS`,
        })),
    )
    expectNone(RULE, unused)
    expect(SCHEMA_ARROWS.filter(({ reason }) => reason.length < 10)).toEqual([])
  })

  it('make no circle between features, imports included', () => {
    const pairs = [
      ...FEATURE_READS,
      ...SCHEMA_ARROWS.map(({ from, to }) => ({ from: posix.basename(from), to: posix.basename(to) })),
    ]
    const leadsTo = (from: string, seen: readonly string[] = []): boolean =>
      seen.includes(from) || pairs.some((pair) => pair.from === from && leadsTo(pair.to, [...seen, from]))
    expect(pairs.filter(({ from }) => leadsTo(from))).toEqual([])
  })

  it('know every function once', () => {
    const names = files.filter(({ kind }) => kind === 'function').map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })
})

describe('the rule', () => {
  const found = (path: string, text: string) =>
    violationsOf(schemaStatements(path, text), places).map(({ what }) => what)
  const named = (body: string) =>
    `create or replace function made_up() returns void language sql as $$ ${body} $$;`

  it.each([
    ['server/src/platform/background/schema.sql', 'select 1 from memberships', 'memberships of directory'],
    ['server/src/directory/schema.sql', 'update guests set state = null', 'guests of'],
    ['server/src/directory/schema.sql', 'select note_identity_change(1)', 'note_identity_change of'],
    ['server/src/features/knock/schema.sql', 'select 1 from users u, recordings r', 'recordings of'],
  ])('refuses in %s: %s', (path, body, message) => {
    expect(found(path, named(body))).toEqual([expect.stringContaining(message)])
  })

  it('sees a trigger on a table of another feature, and lets features listen to what lies below', () => {
    const trigger = (table: string) =>
      `create or replace trigger heard after delete on ${table} for each row execute function end_knocks_of_member();`
    expect(found('server/src/features/knock/schema.sql', trigger('memberships'))).toEqual([])
    expect(found('server/src/features/knock/schema.sql', trigger('recordings'))).toHaveLength(1)
  })

  it('passes over comments and texts', () => {
    expect(
      found('server/src/platform/mail/schema.sql', named("select 'from users' -- from users\n")),
    ).toEqual([])
  })
})
