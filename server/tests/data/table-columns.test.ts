import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'
import { type DeclaredColumn, declaredColumns } from '../structure/declared-columns.ts'
import { filesBelow, ROOT } from '../structure/source-files.ts'

interface Column {
  table: string
  column: string
  /** PostgreSQL's own name of the type, `_` before that of an array's elements. */
  type: string
  nullable: boolean
  /** Whether the database gives a value where a row leaves it out; `always`: it takes no other. */
  generated: 'always' | 'by default' | undefined
}

/** What the driver makes of each type of PostgreSQL; `named`: also a type of its own, as of the words that a text may be. */
const READ_AS: Record<string, { type: string; named?: boolean }> = {
  bool: { type: 'boolean' },
  bytea: { type: 'Buffer' },
  float8: { type: 'number' },
  int2: { type: 'number' },
  int4: { type: 'number' },
  int8: { type: 'string' },
  json: { type: 'unknown', named: true },
  jsonb: { type: 'unknown', named: true },
  numeric: { type: 'string' },
  text: { type: 'string', named: true },
  time: { type: 'string' },
  timestamptz: { type: 'Date' },
  uuid: { type: 'string' },
}
const PLAIN_TYPES = new Set(['bigint', 'boolean', 'Buffer', 'Date', 'number', 'string'])

/** What a declaration says that the migrations do not. A column that must be given may have a default all the same. */
function disagreements(declared: readonly DeclaredColumn[], columns: readonly Column[]): string[] {
  const tables = new Set(declared.map(({ table }) => table))
  const found = new Map(columns.map((column) => [`${column.table}.${column.column}`, column]))
  const said = new Set(declared.map(({ table, column }) => `${table}.${column}`))
  const missing = columns
    .filter(({ table, column }) => tables.has(table) && !said.has(`${table}.${column}`))
    .map(({ table, column }) => `${table}.${column}: in the database, and not declared`)
  return [
    ...missing,
    ...declared.flatMap((one) => {
      const name = `${one.table}.${one.column}`
      const column = found.get(name)
      if (!column) return [`${name}: declared in ${one.path}, and not in the database`]
      return differences(one, column).map((what) => `${name}: ${what} (${one.path})`)
    }),
  ].sort()
}

function differences(declared: DeclaredColumn, column: Column): string[] {
  const { given } = declared
  const always = column.generated === 'always'
  const found: string[] = []
  if (!READ_AS[column.type.replace(/^_/, '')]) found.push(`READ_AS does not say how ${column.type} is read`)
  else if (!isReadAs(declared.type, column.type))
    found.push(`${declared.type} is not how ${column.type} is read`)
  if (declared.nullable !== column.nullable)
    found.push(column.nullable ? 'may be null, and is not declared so' : 'is declared null, and never is')
  if (given === 'optional' && !column.generated && !column.nullable)
    found.push('may be left out as declared, and the database has nothing to put there')
  if (given === 'never' && !column.generated)
    found.push('is never given as declared, and the database has nothing to put there')
  if (given !== 'never' && always) found.push('is given by the database alone, and not declared so')
  return found
}

function isReadAs(declared: string, type: string): boolean {
  if (type.startsWith('_')) {
    const element = /^(.+)\[\]$/.exec(declared)?.[1]
    return element !== undefined && isReadAs(element, type.slice(1))
  }
  const read = READ_AS[type]
  if (!read) return false
  return (
    read.type === declared || (read.named === true && !PLAIN_TYPES.has(declared) && !declared.endsWith('[]'))
  )
}

describe('the columns of tables', () => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  it('are declared as the migrations make them', async () => {
    const { rows } = await database.pool.query<Column>(
      `select table_name as "table", column_name as "column", udt_name as type, is_nullable = 'YES' as nullable,
         case when identity_generation = 'ALWAYS' or is_generated = 'ALWAYS' then 'always'
           when identity_generation is not null or column_default is not null then 'by default' end as generated
       from information_schema.columns where table_schema = 'public'`,
    )
    const declared = filesBelow('server/src')
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => declaredColumns({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
    // nothing would disagree where nothing was read
    expect(new Set(declared.map(({ table }) => table)).size).toBeGreaterThan(40)
    expect(disagreements(declared, rows)).toEqual([])
  })
})

describe('the check of columns', () => {
  const text = `
    interface PeopleTable { name: string; born: Date | null }
    declare module '../database.ts' {
      interface Tables {
        people: PeopleTable
        /** The rest. */
        rooms: {
          id: GeneratedAlways<string>
          kind: 'open' | 'closed'
          state: RoomState | null
          tags: ColumnType<string[], readonly string[] | undefined, never>
          plan: ColumnType<Plan, string, string>
          made_at: Generated<Date>
        }
      }
    }`
  const declared = declaredColumns({ path: 'rooms.ts', text })
  const inDatabase: Column[] = [
    { table: 'people', column: 'name', type: 'text', nullable: false, generated: undefined },
    { table: 'people', column: 'born', type: 'timestamptz', nullable: true, generated: undefined },
    { table: 'rooms', column: 'id', type: 'int8', nullable: false, generated: 'always' },
    { table: 'rooms', column: 'kind', type: 'text', nullable: false, generated: undefined },
    { table: 'rooms', column: 'state', type: 'text', nullable: true, generated: undefined },
    { table: 'rooms', column: 'tags', type: '_text', nullable: false, generated: 'by default' },
    { table: 'rooms', column: 'plan', type: 'jsonb', nullable: false, generated: undefined },
    { table: 'rooms', column: 'made_at', type: 'timestamptz', nullable: false, generated: 'by default' },
    { table: 'others', column: 'id', type: 'int8', nullable: false, generated: undefined },
  ]
  const disagreementsWith = (column: string, change: Partial<Column>) =>
    disagreements(
      declared,
      inDatabase.map((one) =>
        one.column === column && one.table !== 'others' ? { ...one, ...change } : one,
      ),
    )

  it('finds nothing where both say the same', () => {
    expect(disagreements(declared, inDatabase)).toEqual([])
  })

  it.each<[string, Partial<Column>, string]>([
    ['name', { type: 'int4' }, 'people.name: string is not how int4 is read (rooms.ts)'],
    ['name', { nullable: true }, 'people.name: may be null, and is not declared so (rooms.ts)'],
    ['born', { nullable: false }, 'people.born: is declared null, and never is (rooms.ts)'],
    ['kind', { type: 'bool' }, "rooms.kind: 'open' | 'closed' is not how bool is read (rooms.ts)"],
    ['tags', { type: 'text' }, 'rooms.tags: string[] is not how text is read (rooms.ts)'],
    ['tags', { type: '_int4' }, 'rooms.tags: string[] is not how _int4 is read (rooms.ts)'],
    ['plan', { type: 'point' }, 'rooms.plan: READ_AS does not say how point is read (rooms.ts)'],
    [
      'kind',
      { generated: 'always' },
      'rooms.kind: is given by the database alone, and not declared so (rooms.ts)',
    ],
    [
      'id',
      { generated: undefined },
      'rooms.id: is never given as declared, and the database has nothing to put there (rooms.ts)',
    ],
    [
      'made_at',
      { generated: undefined },
      'rooms.made_at: may be left out as declared, and the database has nothing to put there (rooms.ts)',
    ],
  ])('finds what differs of %s: %j', (column, change, said) => {
    expect(disagreementsWith(column, change)).toContain(said)
  })

  it('finds columns that only one of them has', () => {
    expect(disagreementsWith('made_at', { column: 'created_at' })).toEqual([
      'rooms.created_at: in the database, and not declared',
      'rooms.made_at: declared in rooms.ts, and not in the database',
    ])
  })
})
