import { DataFolderTaken } from '@atrium/embedded-postgres/hold-data-folder.ts'
import {
  type OfficeDatabase,
  openExistingDatabase,
  openOfficeDatabase,
  runningDatabaseUrl,
} from '../compose/from-configuration/office-database.ts'
import type { Config } from '../configuration/config.ts'
import { type Db, openDatabase, openPool } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import type { Log } from '../platform/log.ts'

const STATEMENT_MS = 60_000

export interface Making {
  /** Where the settings lead to no office, an embedded one is made: for what fills it. */
  makes?: boolean
}

/** Works on the database of the office, whether it is open or not; leaves it as it found it, and makes none unless told to. */
export async function withDatabase<Result>(
  config: Config,
  log: Log,
  work: (db: Db) => Promise<Result>,
  making?: Making,
): Promise<Result> {
  return await withConnectionString(
    config,
    log,
    (connectionString) => withDatabaseAt(connectionString, log, work),
    making,
  )
}

/** Works on a database, by one connection. */
export async function withDatabaseAt<Result>(
  connectionString: string,
  log: Pick<Log, 'warn'>,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase(
    openPool({
      connectionString,
      maxConnections: 1,
      statementTimeoutMs: STATEMENT_MS,
      onIdleError: (error) => log.warn({ err: error }, 'the database closed a connection'),
    }),
  )
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** The same, for what makes connections of its own. */
export async function withConnectionString<Result>(
  config: Config,
  log: Log,
  work: (connectionString: string) => Promise<Result>,
  { makes = false }: Making = {},
): Promise<Result> {
  const open = makes && !config.databaseUrl ? openOfficeDatabase : openExistingDatabase
  const opened = await unlessTaken(open(config, log, () => ({ pid: process.pid })))
  try {
    const connectionString = opened?.connectionString ?? (await runningDatabaseUrl(config, log))
    // an embedded one that was not open may be of an earlier release; a named one is its operator's to migrate
    if (opened && !config.databaseUrl) await migrate(connectionString, log)
    return await work(connectionString)
  } finally {
    await opened?.close()
  }
}

/** @returns undefined where an office has its embedded database open */
async function unlessTaken(opening: Promise<OfficeDatabase>): Promise<OfficeDatabase | undefined> {
  try {
    return await opening
  } catch (error) {
    if (error instanceof DataFolderTaken) return undefined
    throw error
  }
}
