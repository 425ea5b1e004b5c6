import { DataFolderTaken } from '@atrium/embedded-postgres/hold-data-folder.ts'
import {
  type OfficeDatabase,
  openExistingDatabase,
  runningDatabaseUrl,
} from '../compose/from-configuration/office-database.ts'
import type { Config } from '../configuration/config.ts'
import { type Db, openDatabase, openPool } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import type { Log } from '../platform/log.ts'

const STATEMENT_MS = 60_000

/** Works on the database of the office, whether it is open or not; leaves it as it found it, and makes none. */
export async function withDatabase<Result>(
  config: Config,
  log: Log,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  return await withConnectionString(config, log, (connectionString) =>
    withDatabaseAt(connectionString, log, work),
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
): Promise<Result> {
  const opened = await openUnlessTaken(config, log)
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
async function openUnlessTaken(config: Config, log: Log): Promise<OfficeDatabase | undefined> {
  try {
    return await openExistingDatabase(config, log)
  } catch (error) {
    if (error instanceof DataFolderTaken) return undefined
    throw error
  }
}
