import { runner } from 'node-pg-migrate'
import pg from 'pg'
import type { Log } from '../log.ts'
import { pause } from '../timing/pause.ts'
import { VERSION } from '../version.ts'
import { applySchema } from './schema/apply-schema.ts'
import { MIGRATIONS_FOLDER, MIGRATIONS_TABLE, migrationNames } from './schema/migration-names.ts'
import { compareMark, MARK_QUERY } from './schema/schema-revision.ts'
import { requireUsable } from './schema/usable.ts'

/** A statement that waits for so long for a table gives up: those behind it wait as well, readers too. */
const LOCK_WITHIN_MS = 5_000
const AGAIN_AFTER_MS = 2_000
/** Then an operator has to look: a transaction is open that does not end. */
const GIVE_UP_AFTER_MS = 10 * 60_000
const LOCK_STATES = new Set(['55P03', '40P01'])

export interface MigrateOptions {
  /** The last one that is applied: for a schema of an earlier release. */
  upTo?: string
  /** How long a statement waits for a table. */
  lockWithinMs?: number
}

/**
 * Brings the schema up to date: what is missing of `server/migrations/`, in order, each in a transaction; then what the
 * `schema.sql` files say of functions, views, triggers and policies. Nodes that start at once wait for each other
 * (advisory lock). One that does not get at a table within a few seconds is undone, so that no query queues behind it,
 * and tried again. A schema that is ahead of this release is left alone: the release after this one runs beside it.
 * @returns names of the migrations that were applied now, by the try that came to the end
 * @throws Error where the schema is one that this release cannot work with
 */
export async function migrate(
  connectionString: string,
  log: Pick<Log, 'info' | 'warn' | 'error'>,
  { upTo, lockWithinMs = LOCK_WITHIN_MS }: MigrateOptions = {},
): Promise<string[]> {
  const until = performance.now() + GIVE_UP_AFTER_MS
  for (;;) {
    const client = new pg.Client({ connectionString, application_name: 'atrium-migrate' })
    await client.connect()
    try {
      await requireUsable(client).catch((error: Error) => {
        throw new Error(`The database cannot be used: ${error.message}.`, { cause: error })
      })
      await requireSuitable(client)
      await client.query(`set lock_timeout = ${lockWithinMs}`)
      const count = await countUpTo(upTo, await appliedMigrations(client))
      const applied = await apply(client, log, count)
      if (upTo !== undefined) return applied
      const { rows } = await client.query<{ mark: string | null }>(MARK_QUERY)
      if (compareMark(rows[0]?.mark) !== 'former') return applied
      const parts = await applySchema(connectionString)
      log.info({ parts }, 'schema.sql was applied')
      return applied
    } catch (error) {
      if (!isOfLocks(error) || performance.now() > until) throw error
      log.warn('a migration waits for a lock that somebody else holds: it is tried again')
    } finally {
      await client.end()
    }
    await pause(AGAIN_AFTER_MS)
  }
}

async function apply(
  client: pg.Client,
  log: Pick<Log, 'warn' | 'error'>,
  count: number | undefined,
): Promise<string[]> {
  const applied = await runner({
    dbClient: client,
    dir: MIGRATIONS_FOLDER,
    ignorePattern: '.*\\.jsonl?',
    migrationsTable: MIGRATIONS_TABLE,
    direction: 'up',
    ...(count !== undefined && { count }),
    singleTransaction: false,
    advisoryLockMode: 'wait',
    logger: {
      debug: () => {},
      info: () => {},
      warn: (message: string) => log.warn(message),
      error: (message: string) => log.error(withoutStatement(message)),
    },
  })
  return applied.map(({ name }) => name)
}

async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('public.${MIGRATIONS_TABLE}') is not null as there`,
  )
  if (!found[0]?.there) return []
  const { rows } = await client.query<{ name: string }>(
    `select name from public.${MIGRATIONS_TABLE} order by id`,
  )
  return rows.map(({ name }) => name)
}

async function countUpTo(upTo: string | undefined, applied: readonly string[]): Promise<number | undefined> {
  if (upTo === undefined) return undefined
  const wanted = (await migrationNames()).filter((name) => name <= upTo)
  return wanted.filter((name) => !applied.includes(name)).length
}

function isOfLocks(error: unknown): boolean {
  return LOCK_STATES.has((error as { code?: string } | undefined)?.code ?? '')
}

/**
 * A migration that the release before cannot work with says so in a comment on the table of migrations, `needs <its
 * own name>`: nodes that do not know it refuse to start, in words, where they would break something.
 * @throws Error
 */
async function requireSuitable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ comment: string | null }>(
    `select obj_description(to_regclass('public.${MIGRATIONS_TABLE}'), 'pg_class') as comment`,
  )
  const needed = /^needs (\S+)$/.exec(rows[0]?.comment ?? '')?.[1]
  if (needed === undefined || (await migrationNames()).includes(needed)) return
  throw new Error(
    `The schema of the database is of a later release, with which Atrium ${VERSION} cannot work: it needs one that knows ${needed}. Start that release, or restore a backup of before the upgrade (docs/operations/upgrade.md)`,
  )
}

/** A failure is reported with the whole text of its file in front: a reader needs the end. */
function withoutStatement(message: string): string {
  return message.startsWith('Error executing:')
    ? message.slice(message.lastIndexOf('\nerror: ') + 1)
    : message
}

/** Names of this release's migrations that a database still lacks. */
export async function missingMigrations(pool: pg.Pool): Promise<string[]> {
  const names = await migrationNames()
  const { rows } = await pool.query<{ name: string }>(
    `select name from ${MIGRATIONS_TABLE} where name = any($1)`,
    [names],
  )
  const applied = new Set(rows.map((row) => row.name))
  return names.filter((name) => !applied.has(name))
}
