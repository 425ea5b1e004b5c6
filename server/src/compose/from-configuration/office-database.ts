import { access, constants } from 'node:fs/promises'
import { readableFailure } from '@atrium/embedded-postgres/failure.ts'
import {
  DataFolderTaken,
  findHolder,
  type Holder,
  holdDataFolder,
} from '@atrium/embedded-postgres/hold-data-folder.ts'
import { hasCluster } from '@atrium/embedded-postgres/placement.ts'
import { startEmbeddedPostgres } from '@atrium/embedded-postgres/start-embedded-postgres.ts'
import pg from 'pg'
import type { Config } from '../../configuration/config.ts'
import { isDatabaseStarting } from '../../platform/database/database-errors.ts'
import { hasOwnSession } from '../../platform/database/own-session.ts'
import { requireUsable } from '../../platform/database/schema/usable.ts'
import type { Log } from '../../platform/log.ts'
import { nearestFolder } from '../../platform/nearest-folder.ts'
import { pause } from '../../platform/timing/pause.ts'

/** The database an office stands on. */
export interface OfficeDatabase {
  /** Holds a password: not for logs. */
  connectionString: string
  /** How to call it in a line for a person; no password. */
  about: string
  close(): Promise<void>
}

const POSTGRES_MIN = 15
const SHARED_SESSIONS =
  'a pool before it gives one session to several connections, as PgBouncer does with pool_mode = transaction; notifications, locks and prepared statements need pool_mode = session'
const ANSWER_WITHIN_MS = 5_000
/** How long a database may start or recover before an office gives up: after a crash, the log written since its last checkpoint is replayed. */
const STARTS_WITHIN_MS = 60_000
const ASK_AGAIN_MS = 250

/**
 * The database of the configuration: the named one, which is waited for while it starts or recovers, else the
 * embedded one, for which this process then holds the data folder alone. An embedded one that is not there is made:
 * `serve`, `migrate`, `restore` and `organization import` alone do so (`commands/all-commands.test.ts` holds that), all others take `openExistingDatabase`.
 * @param holder what this process answers to another one that wants the same data folder
 * @param onMaking called while a new cluster is made, when nothing waits for this process
 * @throws Error with a message for a person, naming the setting to look at
 */
export async function openOfficeDatabase(
  config: Config,
  log: Log,
  holder: () => Holder,
  onMaking?: () => void,
): Promise<OfficeDatabase> {
  if (config.databaseUrl) {
    const connectionString = config.databaseUrl.reveal()
    const about = await awaitDatabase(connectionString, log)
    return { connectionString, about, close: async () => {} }
  }
  const hold = await holdDataFolder(config.dataDir, holder).catch((error: unknown) => {
    throw ofDataFolder(error, config.dataDir)
  })
  try {
    const embedded = await startEmbeddedPostgres({
      dataDir: config.dataDir,
      log,
      ...(onMaking && { onMaking }),
    })
    return {
      connectionString: embedded.connectionString,
      about: `embedded PostgreSQL in ${embedded.home}`,
      async close() {
        await embedded.stop()
        await hold.release()
      },
    }
  } catch (error) {
    await hold.release()
    throw ofDataFolder(error, config.dataDir)
  }
}

/**
 * The database of an office that is there already; neither it nor its folder is made.
 * @throws Error as `openOfficeDatabase` does, and where there is no office
 */
export async function openExistingDatabase(config: Config, log: Log): Promise<OfficeDatabase> {
  await requireEmbeddedOffice(config)
  const opened = await openOfficeDatabase(config, log, () => ({ pid: process.pid }))
  if (!config.databaseUrl || (await hasOfficeTables(opened.connectionString))) return opened
  await opened.close()
  throw new Error(
    `There is no office in the database at ${describeAddress(opened.connectionString)}. Check DATABASE_URL`,
  )
}

/** @throws Error where the settings name no database, and their data folder has none */
export async function requireEmbeddedOffice({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<void> {
  if (databaseUrl || (await hasEmbeddedDatabase(dataDir))) return
  throw new Error(
    `There is no office in ${dataDir}, and this command makes none. Give it the settings of the office: ` +
      'its DATA_DIR or DATABASE_URL, at best its whole environment file (docs/commands.md)',
  )
}

/** Whether a data folder has an embedded database already. @throws Error in words where it is of no use */
export async function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  return await hasCluster(dataDir).catch((error: unknown) => {
    throw ofDataFolder(error, dataDir)
  })
}

async function hasOfficeTables(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_WITHIN_MS })
  try {
    await client.connect()
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('public.schema_migrations') is not null as there`,
    )
    return rows[0]?.there === true
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Whether the embedded database can be had in the data folder, or runs there already. Makes and starts nothing.
 * @returns what it is, in a line for a person
 * @throws Error naming DATA_DIR where the folder is of no use
 */
export async function checkDataFolder(dataDir: string): Promise<string> {
  try {
    const holder = await findHolder(dataDir)
    if (holder === 'silent') return `embedded, in ${dataDir}, in use by another Atrium`
    if (holder)
      return `embedded, in ${dataDir}, in use by process ${holder.pid} ${holder.url ?? ''}`.trimEnd()
    const folder = await nearestFolder(dataDir)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    const state = folder === dataDir ? '' : ', which the first start makes'
    return `embedded, in ${dataDir}${state} (set DATABASE_URL to use another)`
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The data folder ${dataDir} cannot be used: ${reason}. Check DATA_DIR.`)
  }
}

/** What is wrong with the data folder, in words that name the setting. */
function ofDataFolder(error: unknown, dataDir: string): Error {
  if (error instanceof DataFolderTaken) return error
  const { message } = readableFailure(error, dataDir)
  const hint = message.includes('cannot use') ? ' Another folder is chosen with DATA_DIR.' : ''
  return new Error(message + hint, { cause: error })
}

/**
 * The address of the database that a running office uses. The embedded one runs only while the office is open,
 * and is neither started nor stopped here.
 */
export async function runningDatabaseUrl(config: Config, log: Log): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl.reveal()
  if ((await findHolder(config.dataDir)) === undefined)
    throw new Error(
      `The office of ${config.dataDir} is not open: its embedded database runs only with it. Start it with: npm start`,
    )
  // an office that is on its way makes its own
  await requireEmbeddedOffice(config)
  return (await startEmbeddedPostgres({ dataDir: config.dataDir, log })).connectionString
}

/**
 * The same as `checkDatabase`, once a database that starts, or recovers from a crash, takes connections.
 * @param withinMs how long it may take
 */
export async function awaitDatabase(
  connectionString: string,
  log: Pick<Log, 'warn'>,
  withinMs = STARTS_WITHIN_MS,
): Promise<string> {
  const end = performance.now() + withinMs
  for (let tries = 0; ; tries++) {
    try {
      return await checkDatabase(connectionString)
    } catch (error) {
      if (!isStarting(error) || performance.now() >= end) throw error
      if (tries === 0) log.warn(`${error.message} It is waited for, for ${withinMs / 1_000} seconds.`)
    }
    await pause(ASK_AGAIN_MS)
  }
}

/** True for what `checkDatabase` says of a database that starts. */
function isStarting(error: unknown): error is Error {
  return error instanceof Error && isDatabaseStarting(error.cause)
}

/**
 * Whether a database answers, is new enough, and can be that of an office.
 * @returns what it is, in a line for a person
 * @throws Error naming DATABASE_URL where it is of no use; `cause` is what the database or the driver said
 */
export async function checkDatabase(connectionString: string): Promise<string> {
  const address = describeAddress(connectionString)
  const clients: pg.Client[] = []
  const connect = async () => {
    // reads the certificates that the address names
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_WITHIN_MS })
    clients.push(client)
    await client.connect()
    return client
  }
  try {
    const client = await connect()
    const version = await versionOf(client)
    if (version < POSTGRES_MIN)
      throw new Error(`it is PostgreSQL ${version}, and ${POSTGRES_MIN} or newer is needed`)
    if (!(await hasOwnSession(client, await connect()))) throw new Error(SHARED_SESSIONS)
    await requireUsable(client)
    return `PostgreSQL ${version} at ${address}`
  } catch (error) {
    const cause = error instanceof AggregateError ? error.errors[0] : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    const says = isDatabaseStarting(cause)
      ? `The database at ${address} takes no connections yet: ${reason}.`
      : `The database at ${address} cannot be used: ${reason}. Check DATABASE_URL.`
    throw new Error(says, { cause })
  } finally {
    for (const client of clients) await client.end().catch(() => undefined)
  }
}

async function versionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version_num') as version`,
  )
  return Math.floor(Number(rows[0]?.version) / 10_000)
}

/** Host, port and database alone: user and password stay out. */
function describeAddress(connectionString: string): string {
  const url = new URL(connectionString)
  return `${url.hostname || 'localhost'}:${url.port || 5432}${url.pathname}`
}
