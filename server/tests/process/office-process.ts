import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import { dataOf } from '@atrium/embedded-postgres/placement.ts'
import { findServer, type PostmasterFile } from '@atrium/embedded-postgres/postmaster-file.ts'
import { settings as allSettings } from '../../src/configuration/settings.ts'
import { freshEmail, PATIENT } from '../office.ts'
import { openTestHarness, type TestHarness } from '../run/test-harness.ts'
import { until } from '../until.ts'

export const ENTRY = fileURLToPath(new URL('../../bin/atrium.js', import.meta.url))
export const NOBODY = { uid: 65_534, gid: 65_534 }

export const canBecomeNobody =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, [ENTRY, '--version'], { ...NOBODY, cwd: '/' }).status === 0

export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
}

/** A process of the command line, and what it has printed so far. */
export interface Running {
  pid: number
  stdout(): string
  stderr(): string
  kill(signal: NodeJS.Signals): void
  /** Closes the channel to it, as when this process had died. */
  letGo(): void
  /** Reads no more of what it prints, as \`| head -1\` does. */
  closeOutput(): void
  ended: Promise<Ending>
  hasEnded(): boolean
}

export interface OfficeProcess extends Running {
  url: string
  /** SIGTERM; resolves when it has ended. */
  stop(): Promise<Ending>
}

export interface RunOptions {
  /** Of the environment; nothing else of it reaches the process but the path to programs. */
  settings?: Record<string, string>
  /** Settings that are not even empty, so that a `.env` may give them. */
  unset?: readonly string[]
  cwd?: string
  /** In place of this checkout's. */
  entry?: string
  /** The Node to run it. */
  node?: string
  user?: { uid: number; gid: number }
  /** How many files and connections it may have open; without it, as many as this process. */
  openFiles?: number
}

/** Offices of one test file, as people start them; `clear()` ends and removes them with their data. */
export interface ProcessHarness extends Pick<TestHarness, 'folder'> {
  /** Runs `atrium <args>`. */
  run(args: readonly string[], options?: RunOptions): Running
  /** Runs `atrium serve` and waits until it has said that it is open. */
  serve(options?: RunOptions): Promise<OfficeProcess>
  clear(): Promise<void>
}

// generous: the first start makes a database, and the machine may be busy
const OPEN_WITHIN_MS = 240_000
const LAST_WORDS = 'Stop it with Ctrl-C.'
/** Empty, so that neither the terminal's environment nor a `.env` of the checkout has a say. */
const UNSET = Object.fromEntries(allSettings.map(({ name }) => [name, '']))
const NO_LIMITS = Object.fromEntries(
  allSettings
    .filter(({ name }) => name.startsWith('RATE_LIMIT_') || name === 'ORGANIZATIONS_PER_USER')
    .map(({ name }) => [name, '0']),
)

export function openProcessHarness(): ProcessHarness {
  let harness = openTestHarness()
  const children: ChildProcess[] = []
  const run = (args: readonly string[], options: RunOptions = {}) => {
    const child = launch(args, options)
    children.push(child)
    return follow(child)
  }
  return {
    folder: () => harness.folder(),
    run,
    async serve(options = {}) {
      const running = run(['serve'], options)
      const url = await waitUntilOpen(running)
      const stop = () => {
        running.kill('SIGTERM')
        return running.ended
      }
      return { ...running, url, stop }
    },
    async clear() {
      const alive = children.splice(0).filter((child) => child.exitCode === null && child.signalCode === null)
      const gone = alive.map((child) => once(child, 'exit'))
      for (const child of alive) child.kill('SIGKILL')
      await Promise.all(gone)
      const used = harness
      harness = openTestHarness()
      await used.clear()
    },
  }
}

function launch(args: readonly string[], options: RunOptions): ChildProcess {
  const standing = { ...UNSET, ATRIUM_ENV: 'test', PORT: '0', ...NO_LIMITS, ...PATIENT }
  for (const name of options.unset ?? []) delete (standing as Record<string, string>)[name]
  const command = [options.node ?? process.execPath, options.entry ?? ENTRY, ...args]
  const limited = ['bash', '-c', `ulimit -n ${options.openFiles}; exec "$@"`, 'bash', ...command]
  const [program = '', ...rest] = options.openFiles === undefined ? command : limited
  return spawn(program, rest, {
    cwd: options.cwd ?? '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...standing, ...options.settings },
    // over the channel it notices when this worker dies of any cause, and closes
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...options.user,
  })
}

function follow(child: ChildProcess): Running {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => (stdout += chunk))
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  const printed = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'close'))
  const ended = Promise.all([once(child, 'exit'), ...printed]).then(
    ([[code, signal]]) => ({ code, signal }) as Ending,
  )
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
    letGo: () => child.disconnect(),
    closeOutput() {
      child.stdout?.destroy()
      child.stderr?.destroy()
    },
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
  }
}

async function waitUntilOpen(running: Running): Promise<string> {
  const deadline = Date.now() + OPEN_WITHIN_MS
  while (!running.stdout().includes(LAST_WORDS)) {
    if (running.hasEnded() || Date.now() > deadline) {
      await (running.hasEnded() ? running.ended : undefined)
      throw new Error(`the office did not open: ${running.stderr()} ${running.stdout()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const url = /is open at (\S+)/.exec(running.stdout())?.[1]
  if (!url) throw new Error(`the office does not say where it is: ${running.stdout()}`)
  return url
}

/** The PostgreSQL that runs on a data folder. */
export function postgresOf(dataDir: string): Promise<PostmasterFile | undefined> {
  return findServer(dataOf(join(dataDir, 'postgres')))
}

/** The address of the embedded database on a data folder, while it runs. */
export async function databaseOf(dataDir: string): Promise<string> {
  const server = await postgresOf(dataDir)
  const password = await readFile(join(dataDir, 'postgres', 'password'), 'utf8')
  return `postgres://atrium:${password.trim()}@127.0.0.1:${server?.port}/atrium`
}

/** Whether a process listens on a port of this machine. */
export function hasListener(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

/** A person with a browser of their own. */
export interface Guest {
  email: string
  browser: AtriumClient
  /** The header of their session. */
  cookie(): string
}

/** Signs a new person up and in at an office that keeps its mails in the sandbox inbox. */
export async function signUpAt(url: string, email = freshEmail()): Promise<Guest> {
  const cookies = createCookieJar()
  const browser = createAtriumClient({ baseUrl: url, cookies })
  await browser.call('signUp', { email })
  let code: string | undefined
  // another node may be at the delivery
  await until(async () => {
    const inbox = await fetch(`${url}/sandbox/mail?to=${email}`, { headers: { accept: 'application/json' } })
    code = ((await inbox.json()) as { code: string }[])[0]?.code
    return code !== undefined
  })
  await browser.call('finalizeMagicAuth', { email, code: code ?? '' })
  return { email, browser, cookie: () => cookies.headerFor(new URL(url)) ?? '' }
}
