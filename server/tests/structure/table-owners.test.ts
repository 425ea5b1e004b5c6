import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lineAt } from './scan-text.ts'
import { filesBelow, isTest, ROOT, type SourceFile, sourceFile, sourceFiles } from './source-files.ts'
import { FOREIGN_STATEMENTS, SERVED_BY_A_LIBRARY, TABLE_OWNERS } from './table-owners.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'ARCHITECTURE.md §5: every table has exactly one owner folder'
const MIGRATIONS_RULE = 'ARCHITECTURE.md §3: migrations are forward only, never edited after landing'
const MIGRATIONS = 'server/migrations'

interface Migration {
  name: string
  text: string
}

interface Mention {
  path: string
  line: number
  table: string
}

/** Tables that exist after all migrations. */
function tablesOf(migrations: readonly Migration[]): string[] {
  const tables = new Set<string>()
  const change =
    /^\s*(?:create (?:unlogged )?table (?:if not exists )?(?<made>\w+)|drop table (?:if exists )?(?<gone>\w+)|alter table (?<old>\w+) rename to (?<renamed>\w+))/gim
  for (const { text } of migrations) {
    for (const { groups = {} } of text.matchAll(change)) {
      for (const name of [groups.gone, groups.old]) if (name) tables.delete(name)
      for (const name of [groups.made, groups.renamed]) if (name) tables.add(name)
    }
  }
  return [...tables]
}

/** Tables that `interface Tables` of a file declares. */
function declaredTables({ path, code }: SourceFile): Mention[] {
  const found: Mention[] = []
  for (const block of code.matchAll(/\binterface Tables \{/g)) {
    let depth = 1
    const tokens = /[{}]|(\w+)\??:/g
    tokens.lastIndex = block.index + block[0].length
    for (let token = tokens.exec(code); token && depth > 0; token = tokens.exec(code)) {
      if (token[0] === '{') depth += 1
      else if (token[0] === '}') depth -= 1
      else if (depth === 1) found.push({ path, line: lineAt(code, token.index), table: token[1] ?? '' })
    }
  }
  return found
}

const QUERY_BUILDER =
  /(?:\b(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|(?:inner|left|right|full|cross)Join|using|(?:inner|left|cross)JoinLateral|sql\.(?:table|id|ref))|(?<!\b(?:Array|Buffer))\.from)\(\s*(\[[^\]]*\]|['"][^'"]+['"])/g
const SQL_TEXT = /^\s*(?:select|insert|update|delete|with|truncate|lock|alter|create|copy|merge|comment)\b/i
const SQL_TABLE =
  /\b(?:from|join|update|into|table|truncate|using|copy|lock)(?:\s+(?:only|table|lateral))*(?=\s+"?(\w+))/gi

/** Tables that the statements of a file name, in the query builder or in SQL. */
function statementTables({ path, code, literals }: SourceFile): Mention[] {
  const found: Mention[] = []
  for (const call of code.matchAll(QUERY_BUILDER)) {
    for (const name of (call[1] ?? '').matchAll(/['"](\w+)/g)) {
      found.push({ path, line: lineAt(code, call.index), table: name[1] ?? '' })
    }
  }
  for (const { text, line, tag } of literals) {
    if (tag !== 'sql' && !SQL_TEXT.test(text)) continue
    for (const name of text.matchAll(SQL_TABLE))
      found.push({ path, line, table: (name[1] ?? '').toLowerCase() })
  }
  return found
}

function statementViolations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => /^server\/src\//.test(path) && !isTest(path))
    .flatMap(statementTables)
    .filter(({ path, table }) => {
      const owner = TABLE_OWNERS[table]
      if (!owner || path.startsWith(`${owner}/`)) return false
      return !FOREIGN_STATEMENTS.some((allowed) => allowed.path === path && allowed.tables.includes(table))
    })
    .map(({ path, line, table }) => ({
      path,
      line,
      what: `names the table ${table} of ${TABLE_OWNERS[table]}: ask a function of its owner`,
    }))
}

function declarationViolations(files: readonly SourceFile[], tables: readonly string[]): Violation[] {
  const declared = files.filter(({ path }) => path.startsWith('server/src/')).flatMap(declaredTables)
  const misplaced = declared
    .filter(({ path, table }) => !path.startsWith(`${TABLE_OWNERS[table]}/`))
    .map(({ path, line, table }) => ({
      path,
      line,
      what: `declares the table ${table}, which belongs to ${TABLE_OWNERS[table] ?? 'nobody (table-owners.ts)'}`,
    }))
  const uncounted = tables.flatMap((table) => {
    const places = declared.filter((mention) => mention.table === table)
    const expected = table in SERVED_BY_A_LIBRARY ? 0 : 1
    if (places.length === expected || !TABLE_OWNERS[table]) return []
    const what = `interface Tables declares ${table} ${places.length} times, not ${expected}`
    return [{ path: places[1]?.path ?? TABLE_OWNERS[table], what }]
  })
  return [...misplaced, ...uncounted]
}

function ownerViolations(tables: readonly string[]): Violation[] {
  const ownerless = tables.filter((table) => !(table in TABLE_OWNERS))
  const gone = Object.keys(TABLE_OWNERS).filter((table) => !tables.includes(table))
  return [
    ...ownerless.map((table) => ({ path: MIGRATIONS, what: `${table} has no owner in table-owners.ts` })),
    ...gone.map((table) => ({ path: MIGRATIONS, what: `${table} of table-owners.ts is in no migration` })),
  ]
}

/** Of those before it some statements make what `schema.sql` has now. */
const LAST_WITH_FUNCTIONS = '0050_~'
const MADE_BY_SCHEMA_FILES =
  /^\s*create (?:or replace )?(?:constraint )?(?:function|procedure|aggregate|view|trigger|policy)\b/im

function migrationViolations(migrations: readonly Migration[], landed: Record<string, string>): Violation[] {
  const found: Violation[] = []
  for (const [index, { name, text }] of migrations.entries()) {
    const path = `${MIGRATIONS}/${name}`
    const number = String(index + 1).padStart(4, '0')
    if (!new RegExp(`^${number}_[a-z0-9]+(-[a-z0-9]+)*\\.sql$`).test(name)) {
      found.push({
        path,
        what: `must be called ${number}_kebab-case.sql: numbers have no gaps and no doubles`,
      })
    }
    if (name > LAST_WITH_FUNCTIONS && MADE_BY_SCHEMA_FILES.test(text))
      found.push({
        path,
        what: 'makes a function, view, trigger or policy: what they do now stands in the schema.sql of its folder',
      })
    if (!(name in landed)) found.push({ path, what: 'has not landed: npm run generate' })
    else if (landed[name] !== createHash('sha256').update(text).digest('hex')) {
      found.push({
        path,
        what: 'was edited after landing: databases that have it will never see the change. Put it into a new migration',
      })
    }
  }
  for (const name of Object.keys(landed)) {
    if (migrations.some((migration) => migration.name === name)) continue
    found.push({ path: `${MIGRATIONS}/${name}`, what: 'has landed and must stay' })
  }
  return found
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const migrations = filesBelow(MIGRATIONS)
  .filter((path) => path.endsWith('.sql'))
  .map((path) => ({ name: path.slice(MIGRATIONS.length + 1), text: read(path) }))

describe('tables', () => {
  it('have one owner each', () => {
    expectNone(RULE, ownerViolations(tablesOf(migrations)))
  })

  it('are declared by their owner, once', () => {
    expectNone(RULE, declarationViolations(sourceFiles(), tablesOf(migrations)))
  })

  it('are named only in statements of their owner', () => {
    expectNone(RULE, statementViolations(sourceFiles()))
  })

  it('have no foreign statement that is no longer there', () => {
    const unused = FOREIGN_STATEMENTS.flatMap(({ path, tables }) => {
      const named = sourceFiles()
        .filter((file) => file.path === path)
        .flatMap(statementTables)
      return tables
        .filter((table) => !named.some((mention) => mention.table === table))
        .map((table) => ({ path, what: `no longer names ${table}: take it out of FOREIGN_STATEMENTS` }))
    })
    expectNone(RULE, unused)
  })
})

describe('migrations', () => {
  it('are numbered without gaps and never edited after landing', () => {
    expectNone(
      MIGRATIONS_RULE,
      migrationViolations(migrations, JSON.parse(read(`${MIGRATIONS}/landed.json`))),
    )
  })
})

describe('the rules', () => {
  it('know the tables that are left after all migrations', () => {
    const made = { name: '0001_a.sql', text: 'create table a (\n);\ncreate unlogged table b (\n);' }
    const changed = { name: '0002_b.sql', text: 'alter table a rename to c;\ndrop table b;' }
    expect(tablesOf([made, changed])).toEqual(['c'])
  })

  it('miss no owner and keep none too many', () => {
    expect(ownerViolations([...Object.keys(TABLE_OWNERS), 'strays'])).toHaveLength(1)
    expect(ownerViolations(Object.keys(TABLE_OWNERS).slice(1))).toHaveLength(1)
  })

  it('find a declaration at the wrong place, a second one and a missing one', () => {
    const text = "declare module '../database.ts' {\n  interface Tables {\n    users: UsersTable\n  }\n}"
    const [right, wrong] = ['server/src/directory/users.ts', 'server/src/access/a.ts'].map((path) =>
      sourceFile(path, text),
    ) as [SourceFile, SourceFile]
    expect(declarationViolations([right], ['users'])).toEqual([])
    expect(declarationViolations([right, wrong], ['users'])).toMatchObject([
      { line: 3 },
      { path: wrong.path },
    ])
    expect(declarationViolations([right], ['users', 'sessions'])).toHaveLength(1)
  })

  it.each([
    ["db.selectFrom('users as u')", 1],
    ["db.selectFrom(['buildings', 'users as u'])", 1],
    ["db.insertInto(\n  'users',\n)", 1],
    ["db.selectFrom('buildings').innerJoin('memberships as m', 'm.user_id', 'buildings.id')", 1],
    ['sql`lock table users in share mode`', 1],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the template that is read
    ['const cut = sql`exists (select 1 from ${x} join users on true)`', 1],
    ["client.query('update users set email = $1')", 1],
    ["sql.table('users')", 1],
    ["db.updateTable('buildings').from('users as u')", 1],
    ["Buffer.from('users')", 0],
    ["const message = 'Remove the member from users you know'", 0],
    ["// from users\ndb.selectFrom('buildings')", 0],
  ])('find the foreign table in: %s', (text, count) => {
    const path = 'server/src/features/rooms/store.ts'
    expect(statementViolations([sourceFile(path, text)])).toHaveLength(count)
    expect(statementViolations([sourceFile('server/src/directory/store.ts', text)])).toEqual([])
    expect(statementViolations([sourceFile('server/src/features/rooms/store.test.ts', text)])).toEqual([])
  })

  it('find migrations that are edited, missing, misnumbered or new', () => {
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    const first = { name: '0001_a.sql', text: 'a' }
    expect(migrationViolations([first], { '0001_a.sql': hash('a') })).toEqual([])
    expect(migrationViolations([first], { '0001_a.sql': hash('b') })).toHaveLength(1)
    expect(migrationViolations([first], {})).toHaveLength(1)
    expect(migrationViolations([], { '0001_a.sql': hash('a') })).toHaveLength(1)
    const late = {
      name: '0099_d.sql',
      text: 'create or replace function d() returns void language sql as $$ $$',
    }
    expect(
      migrationViolations([late], { [late.name]: hash(late.text) }).map(({ what }) => what),
    ).toContainEqual(expect.stringContaining('schema.sql of its folder'))
    const third = { name: '0003_c.sql', text: 'c' }
    expect(
      migrationViolations([first, third], { '0001_a.sql': hash('a'), '0003_c.sql': hash('c') }),
    ).toHaveLength(1)
  })
})
