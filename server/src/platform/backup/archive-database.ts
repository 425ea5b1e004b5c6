import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { migrationNames } from '../database/schema/migration-names.ts'
import { compressing, type Digest, digesting, FOLDER_MODE, newFile } from './archive-files.ts'
import { type ArchivedTable, BackupProblem, type DatabaseManifest } from './manifest.ts'
import {
  copied,
  inPublic,
  readMigrations,
  readSequences,
  readTables,
  type TableColumns,
} from './schema-parts.ts'

export const TABLES = 'tables'
export const fileOf = (folder: string, table: string) => join(folder, TABLES, `${table}.copy.gz`)

/**
 * So that a row is always the same text, with any settings of the server. A table that its user sees only in part is
 * refused rather than copied in part; a scan begins at the first page, also while others scan.
 */
const SETTINGS = [
  `set search_path = ''`,
  `set datestyle = 'ISO, YMD'`,
  `set intervalstyle = 'postgres'`,
  `set timezone = 'UTC'`,
  `set extra_float_digits = 1`,
  `set bytea_output = 'hex'`,
  `set row_security = off`,
  `set synchronize_seqscans = off`,
  `set statement_timeout = 0`,
  `set idle_in_transaction_session_timeout = 0`,
  `set lock_timeout = '60s'`,
].join(';')

/** A connection without bounds on the time of its statements. End it. */
export async function archiveConnection(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: 'atrium archive', keepAlive: true })
  // one that is cut fails the statement under way; without a listener it would end the process
  client.on('error', () => undefined)
  await client.connect()
  await client.query(SETTINGS)
  return client
}

/**
 * Writes every table as it stands at one moment, while the office goes on working. Of memory it takes a few buffers,
 * however large the tables are.
 * @param folder there, and without tables
 * @throws BackupProblem where the schema is not of this release
 */
export async function archiveDatabase(connectionString: string, folder: string): Promise<DatabaseManifest> {
  await mkdir(join(folder, TABLES), { mode: FOLDER_MODE })
  const client = await archiveConnection(connectionString)
  try {
    await requireOwnSchema(client)
    const tables = await readTables(client)
    await client.query('begin isolation level repeatable read, read only')
    // before the first statement that sees rows: what a migration changes until then is waited for, and what comes
    // later waits for us
    await client.query(
      `lock table ${tables.map(({ name }) => inPublic(name)).join(', ')} in access share mode`,
    )
    const migrations = await requireOwnSchema(client)
    const archived: ArchivedTable[] = []
    for (const table of tables) {
      const { lines, sha256 } = await copyOut(client, table, fileOf(folder, table.name))
      archived.push({ ...table, rows: lines, sha256 })
    }
    return { migrations, tables: archived, sequences: await readSequences(client) }
  } finally {
    await client.end()
  }
}

/** Reads a table to its end. @param path of a new file; without it, the rows are only counted and digested */
export async function copyOut(client: pg.Client, table: TableColumns, path?: string): Promise<Digest> {
  const { through, digest } = digesting()
  const rows = client.query(copyTo(`copy ${copied(table)} to stdout`))
  if (path === undefined)
    await pipeline(rows, through, new Writable({ write: (_chunk, _encoding, done) => done() }))
  else await pipeline(rows, through, compressing(), newFile(path))
  return digest()
}

/** @throws BackupProblem where the database is ahead of this release, or behind it */
async function requireOwnSchema(client: pg.Client): Promise<string[]> {
  const known = await migrationNames()
  const applied = await readMigrations(client)
  const unknown = applied.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new BackupProblem(
      `The database is of a later release, which has applied ${unknown.join(', ')}. Back it up with that release`,
    )
  const missing = known.filter((name) => !applied.includes(name))
  if (missing.length > 0)
    throw new BackupProblem(
      `The database lacks ${missing.join(', ')}: run npx atrium migrate first, or back it up with the release that made it`,
    )
  return applied
}
