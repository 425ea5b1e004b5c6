import type { ChildProcess } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Account, giveTo, runAs, spawnAs } from './account.ts'
import { EmbeddedPostgresFailure, type Log } from './failure.ts'
import { dataOf, type Placement } from './placement.ts'
import { isServerOf, readPostmasterFile } from './postmaster-file.ts'
import { lastLines, openLog, sizeOf, trimLog } from './server-log.ts'

/** A PostgreSQL server that accepts connections, or did. */
export interface ServerProcess {
  pid: number
  port: number
  /** True where it ran before we came. */
  adopted: boolean
  hasEnded(): Promise<boolean>
  /** Fulfilled with the reason, as far as we know it, when it has ended. Does not keep our process alive. */
  ended: Promise<string>
}

/** Longest wait for a server to accept connections. Recovery after a crash counts in. */
const READY_LIMIT_MS = 180_000
const FAST_SHUTDOWN_LIMIT_MS = 10_000
const IMMEDIATE_SHUTDOWN_LIMIT_MS = 5_000
/** How often a server that is not our child is asked whether it lives. */
const WATCH_INTERVAL_MS = 500
/** Longest path of a unix socket that PostgreSQL accepts (Linux 107 bytes, macOS and BSD 103). */
const LONGEST_SOCKET_PATH = process.platform === 'linux' ? 107 : 103

/** PostgreSQL's log inside a home. */
export function logOf(home: string): string {
  return join(home, 'server.log')
}

/** A start that did not work out: `output` is what PostgreSQL said about it, in one line. */
export interface FailedLaunch {
  output: string
}

/**
 * Starts PostgreSQL on `port` of 127.0.0.1 and waits until it accepts connections. Answers what PostgreSQL said where
 * it ended instead. Throws EmbeddedPostgresFailure where the program cannot be run or does not get ready in time.
 */
export async function launchServer(
  place: Placement,
  port: number,
  settings: Record<string, string>,
): Promise<ServerProcess | FailedLaunch> {
  const { home, account, binaries } = place
  const data = dataOf(home)
  await trimLog(logOf(home)).catch(() => {
    // A long log is no reason not to start.
  })
  const logStart = await sizeOf(logOf(home))
  const args = ['-D', data, ...(await serverSettings(place, port, settings))]
  const log = await openLog(logOf(home))
  let child: ChildProcess
  let server: ServerProcess
  try {
    // In a session of its own: Ctrl-C at the terminal is for us to handle, PostgreSQL stops after us.
    const stdio = ['ignore' as const, log.fd, log.fd]
    child = spawnAs(account, binaries.postgres, args, { detached: true, stdio, onParentDeath: 'INT' })
    // At once: a server that refuses to start is gone before the log is closed.
    server = childServer(child, port)
  } finally {
    await log.close()
  }
  const deadline = Date.now() + READY_LIMIT_MS
  while (!(await server.hasEnded())) {
    const file = await readPostmasterFile(data)
    if (file !== undefined && file !== 'empty' && file.pid === child.pid && file.status === 'ready')
      return server
    if (Date.now() > deadline) {
      await signalServer(place, server.pid, 'QUIT')
      throw new EmbeddedPostgresFailure(
        `PostgreSQL did not get ready within ${READY_LIMIT_MS / 1_000} s: ${await lastLines(logOf(home), logStart)}`,
      )
    }
    await pause(10)
  }
  return { output: (await lastLines(logOf(home), logStart)) || (await server.ended) }
}

function childServer(child: ChildProcess, port: number): ServerProcess {
  let over = false
  // A caller that forgets to stop the server may still end: the kernel stops the server, or the next start adopts it.
  child.unref()
  const ended = new Promise<string>((resolve) => {
    const end = (reason: string) => {
      over = true
      resolve(reason)
    }
    child.once('exit', (code, signal) => end(`it ended with ${signal ?? `code ${code}`}`))
    child.once('error', (error) => end(error.message))
  })
  return { pid: child.pid ?? 0, port, adopted: false, hasEnded: async () => over, ended }
}

/** Takes over a server that was running on `data` before us. */
export function adoptServer(pid: number, port: number, data: string): ServerProcess {
  const hasEnded = async () => !(await isServerOf(pid, data))
  const ended = (async () => {
    while (!(await hasEnded())) await pause(WATCH_INTERVAL_MS, undefined, { ref: false })
    return 'it ended'
  })()
  return { pid, port, adopted: true, hasEnded, ended }
}

/**
 * Ends a server: first as PostgreSQL likes it (open transactions are rolled back), after 10 s at once, and after
 * 5 more by force. The data is safe in each case; only the next start takes longer.
 */
export async function endServer(place: Placement, server: ServerProcess, log: Log): Promise<void> {
  const steps = [
    ['INT', FAST_SHUTDOWN_LIMIT_MS],
    ['QUIT', IMMEDIATE_SHUTDOWN_LIMIT_MS],
    ['KILL', IMMEDIATE_SHUTDOWN_LIMIT_MS],
  ] as const
  for (const [signal, limit] of steps) {
    if (await server.hasEnded()) return
    if (signal !== 'INT') log.warn(`PostgreSQL (process ${server.pid}) does not stop, sending SIG${signal}`)
    await signalServer(place, server.pid, signal)
    if (await endsWithin(server, limit)) return
  }
  throw new EmbeddedPostgresFailure(`PostgreSQL (process ${server.pid}) could not be stopped.`)
}

/** Waits for a server to end, at most `limitMs`. Answers whether it did. */
export async function endsWithin(server: ServerProcess, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs
  while (!(await server.hasEnded())) {
    if (Date.now() > deadline) return false
    await pause(20)
  }
  return true
}

async function signalServer(place: Placement, pid: number, signal: 'INT' | 'QUIT' | 'KILL'): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals: a kill would be a crash. pg_ctl talks to the server through its pipe.
    await runAs(place.account, place.binaries.pgCtl, ['kill', signal, String(pid)])
    return
  }
  // Zero would be our own process group.
  if (pid <= 0) return
  try {
    process.kill(pid, `SIG${signal}`)
  } catch {
    // It has ended meanwhile.
  }
}

async function serverSettings(
  place: Placement,
  port: number,
  extra: Record<string, string>,
): Promise<string[]> {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: await socketFolder(place.home, place.account, port),
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: '64MB',
    // of disks without moving parts: by the usual 4, a look-up by an index seems dearer than reading a large table whole
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // One file that we keep short. Without ERROR: failed statements are the caller's to report, with what is in them.
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
    ...extra,
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** An empty private folder for the unix socket, or '' (none) where its path would be too long or sockets unusual. */
async function socketFolder(home: string, account: Account, port: number): Promise<string> {
  const folder = join(home, 'socket')
  if (process.platform === 'win32') return ''
  if (Buffer.byteLength(`${folder}/.s.PGSQL.${port}`) > LONGEST_SOCKET_PATH || /[,"\s]/.test(folder))
    return ''
  // A socket lock left by a killed server could name the number of another process.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  await giveTo(account, folder)
  return folder
}
