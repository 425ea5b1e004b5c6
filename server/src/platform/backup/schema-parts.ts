import type { ClientBase } from 'pg'
import { expectedCatalogue } from '../database/catalogue.ts'
import { MIGRATIONS_TABLE as MIGRATIONS } from '../database/schema/migration-names.ts'
import { type ArchivedSequence, BackupProblem } from './manifest.ts'

/** A table, and its columns with text that users wrote. */
export interface TableColumns {
  name: string
  columns: string[]
}

const PREFIX = 'public.'

/**
 * What the migrations make, and nothing that others keep in the same schema. Unlogged tables are left out: a crash may
 * empty them at any time, and a replica has none of them.
 */
export async function readTables(client: ClientBase): Promise<TableColumns[]> {
  const ours = [...namesOf('table'), MIGRATIONS]
  const { rows } = await client.query<TableColumns & { unlogged: boolean }>(
    `select c.relname::text as name, c.relpersistence = 'u' as unlogged,
      array_agg(a.attname::text order by a.attnum) as columns
     from pg_catalog.pg_class c
     join pg_catalog.pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::pg_catalog.regnamespace and c.relkind = 'r' and c.relname = any($1::text[])
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.oid order by c.relname collate "C"`,
    [ours],
  )
  const missing = ours.filter((name) => !rows.some((row) => row.name === name))
  if (missing.length > 0)
    throw new BackupProblem(`The database lacks ${missing.join(', ')}: npx atrium database check says more`)
  return rows.filter(({ unlogged }) => !unlogged).map(({ name, columns }) => ({ name, columns }))
}

/** Sequences are outside of transactions: what is read may be ahead of the rows, and never behind them. */
export async function readSequences(client: ClientBase): Promise<ArchivedSequence[]> {
  const { rows } = await client.query<ArchivedSequence>(
    `select sequencename::text as name, last_value::text as last from pg_catalog.pg_sequences
     where schemaname = 'public' and last_value is not null and sequencename = any($1::text[])
     order by sequencename collate "C"`,
    [[...namesOf('sequence'), `${MIGRATIONS}_id_seq`]],
  )
  return rows
}

export async function readMigrations(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`select name from public.${MIGRATIONS} order by id`)
  return rows.map(({ name }) => name)
}

/** As statements name it. Names of ours need no quotes but for those that are words of SQL. */
export function inPublic(name: string): string {
  return `public."${name}"`
}

/** `table (column, …)`, for `COPY`. */
export function copied({ name, columns }: TableColumns): string {
  return `${inPublic(name)} (${columns.map((column) => `"${column}"`).join(', ')})`
}

function namesOf(kind: 'table' | 'sequence'): string[] {
  return expectedCatalogue()
    .items.filter((item) => item.kind === kind && item.name.startsWith(PREFIX))
    .map(({ name }) => name.slice(PREFIX.length))
}
