import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findPlacement } from '@atrium/embedded-postgres/placement.ts'
import { readPostmasterFile } from '@atrium/embedded-postgres/postmaster-file.ts'
import { endServer, launchServer } from '@atrium/embedded-postgres/server-process.ts'
import { startEmbeddedPostgres } from '@atrium/embedded-postgres/start-embedded-postgres.ts'
import { query } from '../run/test-harness.ts'
import { until } from '../until.ts'

/** A PostgreSQL of its own for tests that take it away. */
export interface BreakableDatabase {
  connectionString: string
  /** Stops it in order: nothing listens on its port any more. */
  stop(): Promise<void>
  /**
   * Ends it where it is, as PostgreSQL's immediate shutdown does; its launcher starts it again, and it recovers: it
   * listens when this resolves, and does not serve yet.
   */
  crash(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** Stops all of its processes where they are: connections stay open, and nothing answers. */
  freeze(): Promise<void>
  thaw(): void
  /** Ends every connection of Atrium; answers how many there were. */
  cutConnections(): Promise<number>
}

const SILENT = { info() {}, warn() {} }
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** What it has acknowledged is still there after `crash()`. */
export const KEPT_AT_CRASH = { fsync: 'off' }

/**
 * @param folder of a test context, which also ends what is left running on it
 * @param settings of PostgreSQL; as fast as can be where not given
 */
export async function openBreakableDatabase(
  folder: string,
  settings: Record<string, string> = FAST,
): Promise<BreakableDatabase> {
  const first = await startEmbeddedPostgres({ dataDir: folder, log: SILENT, settings })
  const { connectionString } = first
  const admin = new URL(connectionString)
  const port = Number(admin.port)
  admin.pathname = '/postgres'
  let stop = () => first.stop()
  let frozen: number[] = []
  const postmaster = async () => {
    const server = await readPostmasterFile(join(first.home, 'data'))
    if (!server || server === 'empty') throw new Error('there is no server')
    return server.pid
  }

  return {
    connectionString,
    stop: () => stop(),
    async crash() {
      const pid = await postmaster()
      process.kill(pid, 'SIGQUIT')
      await until(() => !isAlive(pid))
      // an office that starts meanwhile takes the address for a wrong one
      await until(() => isListening(port))
    },
    async start() {
      const place = await findPlacement(folder, SILENT)
      const server = await launchServer(place, port, settings)
      if (!('pid' in server)) throw new Error(`PostgreSQL did not start: ${server.output}`)
      stop = () => endServer(place, server, SILENT)
    },
    async freeze() {
      const pid = await postmaster()
      // the postmaster first: then no new ones are born
      process.kill(pid, 'SIGSTOP')
      frozen = [pid, ...childrenOf(pid)]
      for (const pid of frozen) signal(pid, 'SIGSTOP')
    },
    thaw() {
      for (const pid of frozen.splice(0)) signal(pid, 'SIGCONT')
    },
    async cutConnections() {
      const rows = await query(
        admin.href,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = 'atrium' and application_name like 'atrium%'`,
      )
      return rows.length
    },
  }
}

function childrenOf(parent: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, ppid]) => ppid === parent)
    .map(([pid]) => pid as number)
}

function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1')
  socket.on('connect', () => resolve(true))
  socket.on('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it has ended by itself
  }
}
