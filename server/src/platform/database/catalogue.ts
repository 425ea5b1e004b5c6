import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { CATALOGUE_QUERY, ROLES_QUERY } from './catalogue-query.ts'
import type { Db, Tx } from './database.ts'
import { MIGRATIONS_TABLE, migrationNames } from './schema/migration-names.ts'
import { isInSchemaFiles, statementsFor } from './schema/schema-files.ts'
import { compareMark, MARK_QUERY } from './schema/schema-revision.ts'
import { transaction } from './transaction.ts'

/** In the order in which they can be made. */
export const KINDS = [
  'extension',
  'role',
  'sequence',
  'table',
  'column',
  'owner',
  'function',
  'view',
  'row security',
  'constraint',
  'index',
  'trigger',
  'policy',
  // before what the migrations grant: taking a reach away takes that along
  'reach',
  'grant',
  'shadow',
] as const
type Kind = (typeof KINDS)[number]

/** One part of the schema. */
export interface CatalogueItem {
  kind: Kind
  /** As statements name it. */
  name: string
  /** Digest of all that matters of it. */
  digest: string
}

/** One that the migrations make. */
export interface ExpectedItem extends CatalogueItem {
  /** Statements that make it again, what is left of it included; none where its rows would be lost. */
  mend: readonly string[]
}

/** Where a database is not as the migrations of this release have made it. */
export interface Difference extends CatalogueItem {
  what: 'missing' | 'different' | 'unexpected'
  mend: readonly string[]
}

export interface ExpectedCatalogue {
  /** Of the migrations and of how it was read. */
  source: string
  roles: readonly string[]
  items: readonly ExpectedItem[]
}

const FILE = fileURLToPath(new URL('../../../migrations/catalogue.jsonl', import.meta.url))
/** Additions that must not be: they would let others see or do more. */
const NEVER_MORE: readonly Kind[] = ['policy', 'grant', 'reach', 'owner']

let known: ExpectedCatalogue | undefined

/** What this release makes: `server/migrations/catalogue.jsonl`, written by `npm run generate`, and `schema.sql`. */
export function expectedCatalogue(): ExpectedCatalogue {
  known ??= withSchemaFiles(parseCatalogue(readFileSync(FILE, 'utf8')))
  return known
}

/** What stands in a `schema.sql` is made again by its statements; the catalogue has its digest alone. */
function withSchemaFiles({ items, ...rest }: ExpectedCatalogue): ExpectedCatalogue {
  const mended = items.map((item) =>
    isInSchemaFiles(item) ? { ...item, mend: statementsFor([item]).map(({ text }) => text) } : item,
  )
  return { ...rest, items: mended }
}

export function parseCatalogue(text: string): ExpectedCatalogue {
  const [head, ...items] = text.trimEnd().split('\n')
  const { source, roles } = JSON.parse(head ?? '') as ExpectedCatalogue
  return { source, roles, items: items.map((line) => JSON.parse(line) as ExpectedItem) }
}

/** The whole catalogue of a database that was just migrated. */
export function describeCatalogue(db: Db): Promise<Pick<ExpectedCatalogue, 'roles' | 'items'>> {
  return withCompleteNames(db, describeIn)
}

/** The same in a transaction with an empty `search_path`. */
export async function describeIn(tx: Tx): Promise<Pick<ExpectedCatalogue, 'roles' | 'items'>> {
  const roles = (await sql.raw<{ role: string }>(ROLES_QUERY).execute(tx)).rows.map(({ role }) => role)
  const items = await read<ExpectedItem>(tx, roles, ', mend')
  return { roles, items }
}

/**
 * How the schema differs from what the migrations of this release make. Nothing is said of one that they have not all
 * been applied to, nor of one that a later release has changed.
 */
export async function catalogueDifferences(db: Db): Promise<Difference[]> {
  const expected = expectedCatalogue()
  return await withCompleteNames(db, async (tx, path) => {
    const names = new Set(await migrationNames())
    const { rows } = await sql
      .raw<{ name: string }>(`select name from public.${MIGRATIONS_TABLE}`)
      .execute(tx)
    if (rows.length !== names.size || rows.some(({ name }) => !names.has(name))) return []
    const [marked] = (await sql.raw<{ mark: string | null }>(MARK_QUERY).execute(tx)).rows
    if (compareMark(marked?.mark) === 'later') return []
    const differences = compareCatalogues(expected.items, await read<CatalogueItem>(tx, expected.roles))
    return [...differences, ...(await findShadows(tx, path, expected.items))]
  })
}

export function compareCatalogues(
  expected: readonly ExpectedItem[],
  actual: readonly CatalogueItem[],
): Difference[] {
  const left = new Map(actual.map((item) => [`${item.kind} ${item.name}`, item]))
  const differences: Difference[] = []
  for (const item of expected) {
    const found = left.get(`${item.kind} ${item.name}`)
    left.delete(`${item.kind} ${item.name}`)
    if (found?.digest === item.digest || (!found && isOptional(item))) continue
    differences.push({ ...item, what: found ? 'different' : 'missing' })
  }
  const tables = new Set(expected.filter(({ kind }) => kind === 'table').map(({ name }) => name))
  for (const item of left.values())
    if (NEVER_MORE.includes(item.kind) && isOf(item, tables, expected))
      differences.push({ ...item, what: 'unexpected', mend: removalOf(item) })
  return differences.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
}

/** Whether a policy, right or owner belongs to something of ours: what others keep in the schema is theirs. */
function isOf(item: CatalogueItem, tables: ReadonlySet<string>, expected: readonly ExpectedItem[]) {
  const { kind, name } = item
  if (kind === 'policy') return tables.has(name.slice(name.lastIndexOf(' on ') + ' on '.length))
  const target = targetOf(item)
  if (target === 'schema public')
    return kind === 'owner' || (name.startsWith('create ') && !name.endsWith(' to public'))
  const [type = '', ...rest] = target.split(' ')
  const kinds = type === 'table' ? ['table', 'view'] : [type]
  return expected.some((each) => kinds.includes(each.kind) && each.name === rest.join(' '))
}

/** What a right or an owner is of: `table public.users`. */
function targetOf({ kind, name }: CatalogueItem): string {
  if (kind === 'owner') return name.slice(name.indexOf(' of ') + ' of '.length)
  return name.slice(name.indexOf(' on ') + ' on '.length, name.lastIndexOf(' to '))
}

/** What the public may do by PostgreSQL's own default, and a careful host takes away: the office needs none of it. */
function isOptional({ kind, name }: CatalogueItem): boolean {
  return kind === 'grant' && name.endsWith(' to public')
}

function removalOf(item: CatalogueItem): string[] {
  const { kind, name } = item
  if (kind === 'policy') return [`drop policy ${name}`]
  if (kind === 'owner') return [`alter ${targetOf(item)} owner to current_user`]
  const at = name.lastIndexOf(' to ')
  const taken = `revoke ${name.slice(0, at)} from`
  const removal = `${taken} ${name.slice(at + ' to '.length)}`
  // a right to a column may be granted to public
  return kind === 'reach' ? [removal, `${taken} public`] : [removal]
}

/**
 * Work in a transaction that knows the names of PostgreSQL alone, so that no object planted in a schema is called in
 * place of what is meant.
 * @param work also gets the schemas that names are looked up in otherwise, first to last
 */
export function withCompleteNames<T>(
  db: Db,
  work: (tx: Tx, path: readonly string[]) => Promise<T>,
): Promise<T> {
  return transaction(db, async (tx) => {
    const { rows } = await sql<{
      path: string[]
    }>`select pg_catalog.current_schemas(true)::pg_catalog.text[] as path`.execute(tx)
    // compiling a query that runs once takes longer than the query
    await sql`select pg_catalog.set_config('search_path', '', true), pg_catalog.set_config('jit', 'off', true)`.execute(
      tx,
    )
    return await work(tx, rows[0]?.path ?? [])
  })
}

/** What has the name of something of ours in a schema that is looked into before `public`. */
async function findShadows(
  tx: Tx,
  path: readonly string[],
  expected: readonly ExpectedItem[],
): Promise<Difference[]> {
  const before = path.slice(0, path.indexOf('public')).filter((schema) => schema !== 'pg_catalog')
  if (before.length === 0) return []
  const namesOf = (...kinds: Kind[]) =>
    expected
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ name }) => name.replace(/^public\.|\(.*$/g, ''))
  const { rows } = await sql<{ name: string }>`
    select format('table %I.%I', relnamespace::regnamespace::text, relname) as name from pg_class
      where relnamespace::regnamespace::text = any(${before}::text[])
        and relname = any(${namesOf('table', 'view', 'sequence')}::text[])
    union all
    select 'function ' || oid::regprocedure::text from pg_proc
      where pronamespace::regnamespace::text = any(${before}::text[]) and proname = any(${namesOf('function')}::text[])
    order by 1`.execute(tx)
  return rows.map(({ name }) => ({ kind: 'shadow', name, digest: '', what: 'unexpected', mend: [] }))
}

async function read<Item extends CatalogueItem>(
  tx: Tx,
  roles: readonly string[],
  more = '',
): Promise<Item[]> {
  const names = `array[${roles.map((role) => `'${role.replaceAll("'", "''")}'`).join(', ')}]::name[]`
  const found = CATALOGUE_QUERY.replaceAll('$roles', () => names)
  const { rows } = await sql
    .raw<Item>(
      `select kind, name, md5("is") as digest${more} from (${found}) found order by kind, name collate "C"`,
    )
    .execute(tx)
  return rows
}
