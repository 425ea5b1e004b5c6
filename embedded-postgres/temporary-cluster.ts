import { chmod, lstat, mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Log, messageOf } from './failure.ts'
import { holdDataFolder } from './hold-data-folder.ts'
import { dataOf } from './placement.ts'
import { findServer } from './postmaster-file.ts'
import { startEmbeddedPostgres } from './start-embedded-postgres.ts'

/** A PostgreSQL for tests. */
export interface TemporaryCluster {
  /** `postgres://…` of a superuser in an empty database; may CREATE DATABASE. */
  connectionString: string
  /** Stops PostgreSQL and removes everything. */
  stop(): Promise<void>
}

/** A folder younger than this may belong to a run that is just about to hold it. */
const YOUNGEST_LEFTOVER_MS = 2_000
const PREFIX = 'atrium-temporary-'
/** Nothing here has to survive a power cut, nor to be replicated. */
const FAST: Record<string, string> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // several workers have offices open, each with pools of its own
  max_connections: '250',
  // it may lie in memory
  max_wal_size: '256MB',
}
const SILENT: Log = { info() {}, warn() {} }

/**
 * Starts an empty PostgreSQL in a folder of its own in `parent`, fast instead of durable. What a killed run
 * left behind there is removed on this occasion. For the set-up of tests. `packageRoot` is that of another version.
 */
export async function startTemporaryCluster(
  log: Log = SILENT,
  packageRoot?: string,
  parent = tmpdir(),
): Promise<TemporaryCluster> {
  await removeLeftovers(parent, log)
  const folder = await mkdtemp(join(parent, PREFIX))
  // PostgreSQL may run as another user, who has to get in.
  await chmod(folder, 0o755)
  const hold = await holdDataFolder(folder, () => ({ pid: process.pid }))
  const remove = async () => {
    await removeFolder(folder)
    await hold.release()
  }
  try {
    const postgres = await startEmbeddedPostgres({
      dataDir: folder,
      log,
      settings: FAST,
      ...(packageRoot === undefined ? {} : { packageRoot }),
    })
    let stopped: Promise<void> | undefined
    const stop = () => postgres.stop().finally(remove)
    return { connectionString: postgres.connectionString, stop: () => (stopped ??= stop()) }
  } catch (error) {
    await remove()
    throw error
  }
}

async function removeLeftovers(parent: string, log: Log): Promise<void> {
  for (const entry of await readdir(parent)) {
    if (!entry.startsWith(PREFIX)) continue
    const folder = join(parent, entry)
    try {
      if (Date.now() - (await lstat(folder)).mtimeMs < YOUNGEST_LEFTOVER_MS) continue
      // A process that still uses the cluster holds its folder.
      const hold = await holdDataFolder(folder, () => ({ pid: process.pid }))
      await removeFolder(folder)
      await hold.release()
    } catch (error) {
      log.info(`${folder} stays: ${messageOf(error)}`)
    }
  }
}

async function removeFolder(folder: string): Promise<void> {
  const home = join(folder, 'postgres')
  const found = await lstat(home).catch(() => undefined)
  const really = found?.isSymbolicLink() ? await readlink(home) : home
  const server = await findServer(dataOf(really))
  if (server !== undefined) process.kill(server.pid, 'SIGQUIT')
  for (const path of [really, folder])
    await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
