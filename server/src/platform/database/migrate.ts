import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import type { Log } from '../log.ts'

const FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url))
export const TABLE = 'schema_migrations'

/**
 * Brings the schema up to date: what is missing of `server/migrations/`, in order, each in a transaction.
 * Nodes that start at once wait for each other (advisory lock). A schema that is ahead of this release is
 * left alone: the release after this one runs beside it.
 * @returns names of the migrations that were applied now
 */
export async function migrate(
  connectionString: string,
  log: Pick<Log, 'info' | 'warn' | 'error'>,
): Promise<string[]> {
  const client = new pg.Client({ connectionString, application_name: 'atrium-migrate' })
  await client.connect()
  try {
    const applied = await runner({
      dbClient: client,
      dir: FOLDER,
      ignorePattern: '.*\\.jsonl?',
      migrationsTable: TABLE,
      direction: 'up',
      singleTransaction: false,
      advisoryLockMode: 'wait',
      logger: {
        debug: () => {},
        info: () => {},
        warn: (message: string) => log.warn(message),
        error: (message: string) => log.error(withoutStatement(message)),
      },
    })
    return applied.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** What failed is told with the whole text of its file in front: whoever reads it needs the end. */
function withoutStatement(message: string): string {
  return message.startsWith('Error executing:')
    ? message.slice(message.lastIndexOf('\nerror: ') + 1)
    : message
}

/** Names of this release's migrations, in order. */
export async function migrationNames(): Promise<string[]> {
  const files = await readdir(FOLDER)
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort()
}

/** Names of this release's migrations that a database still lacks. */
export async function missingMigrations(pool: pg.Pool): Promise<string[]> {
  const names = await migrationNames()
  const { rows } = await pool.query<{ name: string }>(`select name from ${TABLE} where name = any($1)`, [
    names,
  ])
  const applied = new Set(rows.map((row) => row.name))
  return names.filter((name) => !applied.has(name))
}
