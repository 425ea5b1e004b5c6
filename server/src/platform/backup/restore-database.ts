import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { migrate } from '../database/migrate.ts'
import { migrationNames } from '../database/schema/migration-names.ts'
import type { Log } from '../log.ts'
import { archiveConnection, copyOut, fileOf } from './archive-database.ts'
import { broken, digestOf } from './archive-files.ts'
import { type ArchivedTable, BackupProblem, type DatabaseManifest } from './manifest.ts'
import { copied, inPublic, readMigrations } from './schema-parts.ts'

/** Other programs of the office, by what they call themselves at the database. */
const OFFICES = `select count(*)::int as count from pg_catalog.pg_stat_activity
  where datname = current_database() and application_name like 'atrium%' and pid <> pg_backend_pid()`

/**
 * Whether what was archived can be restored by this release, and is whole: every file is read to its end.
 * @throws BackupProblem
 */
export async function requireWhole(folder: string, { migrations, tables }: DatabaseManifest): Promise<void> {
  const known = await migrationNames()
  const unknown = migrations.filter((name, at) => name !== known[at])
  if (unknown.length > 0)
    throw new BackupProblem(
      `The archive is of a later release: this one does not know ${unknown.join(', ')}. Restore it with that release, or a later one`,
    )
  for (const { name, rows, sha256 } of tables) {
    const found = await digestOf(fileOf(folder, name))
    if (found.lines !== rows || found.sha256 !== sha256) throw broken(fileOf(folder, name))
  }
}

/**
 * Makes the schema of the archive in an empty database, puts every row back in one transaction, reads every table again
 * and compares it with the archive, and brings the schema to this release. Where it fails, no row of it stays.
 * @param archive of `requireWhole`
 * @throws BackupProblem
 */
export async function restoreDatabase(
  connectionString: string,
  { folder, manifest }: { folder: string; manifest: DatabaseManifest },
  log: Pick<Log, 'info' | 'warn' | 'error'>,
): Promise<void> {
  const client = await archiveConnection(connectionString)
  try {
    await requireAlone(client)
    await migrate(connectionString, log, { upTo: manifest.migrations.at(-1) as string })
    await requireSchemaOf(client, manifest)
    await client.query('begin')
    await putBack(client, folder, manifest)
    for (const table of manifest.tables) await requireSame(client, table)
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
  await migrate(connectionString, log)
}

/** @throws BackupProblem where an office works on the database: it would write between our rows */
async function requireAlone(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(OFFICES)
  if (rows[0]?.count)
    throw new BackupProblem('An office is open on this database: stop all of its nodes, and try again')
}

/** @throws BackupProblem where an earlier start has brought the schema further than the archive's */
async function requireSchemaOf(client: pg.Client, manifest: DatabaseManifest): Promise<void> {
  const applied = await readMigrations(client)
  if (applied.length !== manifest.migrations.length)
    throw new BackupProblem(
      'The schema of this database is newer than that of the archive: restore into a database without tables',
    )
}

/** Foreign keys and triggers stand aside, for which a plain owner of the tables is enough; each key is checked at the end. */
async function putBack(client: pg.Client, folder: string, { tables, sequences }: DatabaseManifest) {
  const names = tables.map(({ name }) => inPublic(name))
  const keys = await readForeignKeys(client, tables)
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  // a migration may have begun with rows of its own
  await client.query(`truncate ${names.join(', ')}`)
  for (const table of tables) {
    const rows = client.query(copyFrom(`copy ${copied(table)} from stdin`))
    await pipeline(createReadStream(fileOf(folder, table.name)), createGunzip(), rows)
  }
  for (const { name, last } of sequences)
    await client.query('select pg_catalog.setval($1::text::pg_catalog.regclass, $2::bigint)', [
      inPublic(name),
      last,
    ])
  for (const name of names) await client.query(`alter table ${name} enable trigger user`)
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`)
}

interface ForeignKey {
  table: string
  name: string
  definition: string
}

async function readForeignKeys(client: pg.Client, tables: readonly ArchivedTable[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::pg_catalog.regclass::text as table, pg_catalog.quote_ident(conname) as name,
       pg_catalog.pg_get_constraintdef(oid) as definition
     from pg_catalog.pg_constraint where contype = 'f' and conrelid = any($1::text[]::pg_catalog.regclass[])`,
    [tables.map(({ name }) => inPublic(name))],
  )
  return rows
}

/** @throws BackupProblem where a table, read again, is not what was archived */
async function requireSame(client: pg.Client, table: ArchivedTable): Promise<void> {
  const { lines, sha256 } = await copyOut(client, table)
  if (lines !== table.rows || sha256 !== table.sha256)
    throw new BackupProblem(`${table.name} is not as it was archived; nothing was restored`)
}
