import { sql } from 'kysely'
import { compareCatalogues, describeIn, expectedCatalogue } from '../catalogue.ts'
import { openDatabase, openPool, type Tx } from '../database.ts'
import { transaction } from '../transaction.ts'
import {
  isInSchemaFiles,
  SCHEMA_KINDS,
  type SchemaPart,
  type SchemaStatement,
  statementsFor,
} from './schema-files.ts'
import { markStatement, ownRevision } from './schema-revision.ts'

const LOCK_WITHIN = '5s'
const STATEMENT_WITHIN_MS = 60_000

/**
 * Brings functions, views, triggers, policies and the rights on them to what `schema.sql` says, in one transaction: what
 * differs by its digest, in the order that it needs. Nodes that start at once wait for each other.
 * @returns names of what was applied
 * @throws Error where something differs all the same
 */
export async function applySchema(connectionString: string): Promise<string[]> {
  const pool = openPool({
    connectionString,
    maxConnections: 1,
    statementTimeoutMs: STATEMENT_WITHIN_MS,
    onIdleError: () => undefined,
  })
  const db = openDatabase(pool)
  try {
    return await transaction(db, async (tx) => {
      await sql.raw(`set local lock_timeout = '${LOCK_WITHIN}'`).execute(tx)
      await sql.raw('lock table public.schema_migrations in share row exclusive mode').execute(tx)
      const wanted = await differingIn(tx)
      await applyStatements(tx, statementsFor(wanted))
      // a right that the host of a database gives by default stays: `database check` tells of it
      const left = (await differingIn(tx)).filter(({ kind }) => kind !== 'grant')
      if (left.length > 0)
        throw new Error(`schema.sql was applied, and still differs: ${left.map(keyOf).join(', ')}`)
      await sql.raw(markStatement(ownRevision())).execute(tx)
      return wanted.map(keyOf)
    })
  } finally {
    await db.destroy()
  }
}

/** Applies statements as they stand, over any present state. */
export async function applyStatements(tx: Tx, statements: readonly SchemaStatement[]): Promise<void> {
  await sql`select set_config('search_path', 'public, pg_temp', true)`.execute(tx)
  // a function may name another one that comes after it
  await sql`set local check_function_bodies = off`.execute(tx)
  for (const kind of SCHEMA_KINDS)
    for (const { text } of statements.filter((statement) => statement.kind === kind))
      await sql.raw(text).execute(tx)
}

/** What `schema.sql` makes and is not as this release has it. */
async function differingIn(tx: Tx): Promise<SchemaPart[]> {
  await sql`select set_config('search_path', '', true)`.execute(tx)
  const { items } = await describeIn(tx)
  return compareCatalogues(
    expectedCatalogue().items.filter(isInSchemaFiles),
    items.filter((item) => isInSchemaFiles(item)),
  )
}

function keyOf({ kind, name }: SchemaPart): string {
  return `${kind} ${name}`
}
