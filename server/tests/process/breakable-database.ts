import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { findPlacement } from '@atrium/embedded-postgres/placement.ts'
import { readPostmasterFile } from '@atrium/embedded-postgres/postmaster-file.ts'
import { endServer, launchServer } from '@atrium/embedded-postgres/server-process.ts'
import { startEmbeddedPostgres } from '@atrium/embedded-postgres/start-embedded-postgres.ts'
import { query } from '../test-harness.ts'

/** A PostgreSQL of its own for tests that take it away. */
export interface BreakableDatabase {
  connectionString: string
  /** Stops it in order: nobody listens on its port any more. */
  stop(): Promise<void>
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

/** @param folder of a test context, which also ends what is left running on it */
export async function openBreakableDatabase(folder: string): Promise<BreakableDatabase> {
  const first = await startEmbeddedPostgres({ dataDir: folder, log: SILENT, settings: FAST })
  const { connectionString } = first
  const admin = new URL(connectionString)
  const port = Number(admin.port)
  admin.pathname = '/postgres'
  let stop = () => first.stop()
  let frozen: number[] = []

  return {
    connectionString,
    stop: () => stop(),
    async start() {
      const place = await findPlacement(folder, SILENT)
      const server = await launchServer(place, port, FAST)
      if (!('pid' in server)) throw new Error(`PostgreSQL did not start: ${server.output}`)
      stop = () => endServer(place, server, SILENT)
    },
    async freeze() {
      const server = await readPostmasterFile(join(first.home, 'data'))
      if (!server || server === 'empty') throw new Error('there is no server to freeze')
      // the postmaster first: then no new ones are born
      process.kill(server.pid, 'SIGSTOP')
      frozen = [server.pid, ...childrenOf(server.pid)]
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

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it has ended by itself
  }
}
