import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setInterval as every } from 'node:timers'
import pg from 'pg'
import { bringUp } from './bring-up.ts'
import { codeOf, EmbeddedPostgresFailure, type Log, messageOf, readableFailure } from './failure.ts'
import { keepRunning } from './keep-running.ts'
import { makeCluster, OWNER, syncNewCluster } from './new-cluster.ts'
import { findPlacement, linkHome, type Placement } from './placement.ts'
import { trimLog } from './server-log.ts'
import { endServer, endsWithin, logOf, type ServerProcess } from './server-process.ts'

export interface EmbeddedPostgresOptions {
  /** Absolute path of the data folder, e.g. `/x/.atrium`; made where missing. The cluster goes to `postgres` in it. */
  dataDir: string
  log: Log
  /** More settings of postgresql.conf, e.g. `{ fsync: 'off' }`. An adopted server keeps those it was started with. */
  settings?: Record<string, string>
  /** Called while a new cluster is made, which takes half a second: nothing waits for this process meanwhile. */
  onMaking?: () => void
  /** The package with the PostgreSQL to start, e.g. one of another version; by default the one in node_modules. */
  packageRoot?: string
}

export interface EmbeddedPostgres {
  /** `postgres://…` of the database `atrium`. Holds a password: not for logs. */
  connectionString: string
  /** True where a server was found running, left by an Atrium that was killed. */
  adopted: boolean
  /** The folder where the cluster's data, its password and PostgreSQL's log `server.log` really lie. */
  home: string
  /** Stops PostgreSQL and waits for its end. May be called again. */
  stop(): Promise<void>
}

const DATABASE = 'atrium'
const CONNECT_LIMIT_MS = 10_000
/** How long a found server that does not serve is given to prove that it is ending. */
const ENDING_LIMIT_MS = 5_000
const LOG_TRIM_INTERVAL_MS = 60_000

/**
 * Starts PostgreSQL on the data folder, made again where there is none, and keeps it running until `stop()`: should it
 * die, it comes back on the same port. Must be called on the main thread where PostgreSQL is to stop when we are killed.
 * Throws EmbeddedPostgresFailure with a message for the person at the terminal.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, settings = {}, onMaking, packageRoot } = options
  const place = await findPlacement(dataDir, log, packageRoot)
  if (!place.exists) {
    await makeCluster(place, log, onMaking)
    await linkHome(dataDir, place.home)
  }
  try {
    return await startOn(place, settings, log)
  } catch (error) {
    throw readableFailure(error, place.home)
  }
}

async function startOn(
  place: Placement,
  settings: Record<string, string>,
  log: Log,
): Promise<EmbeddedPostgres> {
  const password = await readPassword(place.home)
  const address = (port: number, database: string) =>
    `postgres://${OWNER}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`
  const bring = (port?: number) =>
    bringUp(place, settings, (found) => answers(address(found, 'postgres'), place), port)
  const server = await bringUpDatabase(bring, address, (failed) => endServer(place, failed, log))
  const keeper = keepRunning(place, server, bring, log)
  announce(place, server, log)
  if (!place.exists && settings.fsync !== 'off') void syncNewCluster(place, log)
  const trimming = every(() => void trimLog(logOf(place.home)).catch(() => {}), LOG_TRIM_INTERVAL_MS).unref()
  return {
    connectionString: address(server.port, DATABASE),
    adopted: server.adopted,
    home: place.home,
    stop: () => {
      clearInterval(trimming)
      return keeper.stop()
    },
  }
}

/** A server with our database in it. */
async function bringUpDatabase(
  bring: () => Promise<ServerProcess>,
  address: (port: number, database: string) => string,
  end: (server: ServerProcess) => Promise<void>,
): Promise<ServerProcess> {
  for (;;) {
    const server = await bring()
    try {
      await makeDatabase((database) => address(server.port, database))
      return server
    } catch (error) {
      // Its starter was killed just now, and it was on its way out when we met it: look again.
      if (server.adopted && (await endsWithin(server, ENDING_LIMIT_MS))) continue
      if (!server.adopted) await end(server)
      throw error
    }
  }
}

function announce(place: Placement, server: ServerProcess, log: Log): void {
  const how = server.adopted ? 'was running already' : 'runs'
  log.info(
    `PostgreSQL ${place.binaries.majorVersion} ${how} on 127.0.0.1:${server.port}, data in ${place.home}`,
  )
}

async function readPassword(home: string): Promise<string> {
  const path = join(home, 'password')
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    throw new EmbeddedPostgresFailure(
      `${path} is missing: without it nobody gets into the data. Restore it from a backup.`,
    )
  }
}

/** Whether the server at `address` is there and takes our password. Throws where it refuses it. */
async function answers(address: string, place: Placement): Promise<boolean> {
  try {
    await withClient(address, async () => {})
    return true
  } catch (error) {
    if (codeOf(error) !== '28P01') return false
    throw new EmbeddedPostgresFailure(
      `The PostgreSQL that runs on ${place.home} refuses the password kept there.`,
    )
  }
}

async function makeDatabase(address: (database: string) => string): Promise<void> {
  try {
    await withClient(address(DATABASE), async () => {})
  } catch (error) {
    const missing = '3D000'
    if (codeOf(error) !== missing) throw connectFailure(error)
    await withClient(address('postgres'), (client) => client.query(`CREATE DATABASE ${DATABASE}`)).catch(
      (failure) => {
        // Another process that started on the same server made it first.
        const existing = ['42P04', '23505']
        if (!existing.includes(codeOf(failure) ?? '')) throw connectFailure(failure)
      },
    )
  }
}

function connectFailure(error: unknown): EmbeddedPostgresFailure {
  return new EmbeddedPostgresFailure(`PostgreSQL started but does not serve: ${messageOf(error)}`, {
    cause: error,
  })
}

async function withClient(address: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: CONNECT_LIMIT_MS })
  // Without a listener, a connection lost at the wrong moment would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
