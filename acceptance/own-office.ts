import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { waitFor } from './patience.ts'

const ENTRY = fileURLToPath(new URL('../server/bin/atrium.js', import.meta.url))
// generous: the first start makes a database, and the machine may be busy
const READY_WITHIN_MS = 120_000
const STOP_WITHIN_MS = 30_000
const OUTPUT_KEPT = 8_000

/** An office that the run started, on data that goes with it. */
export interface OwnOffice {
  url: string
  /** Starts it on the same data at the same address; resolves when it is ready. */
  start(): Promise<void>
  /** Runs `atrium <args>` as its operator would. @returns what it printed */
  command(...args: string[]): Promise<string>
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>
  /** Lets it close, by force where it does not, and removes its data. Never fails. */
  remove(): Promise<void>
  /** The end of what it has printed. */
  output(): string
}

/** Prepares an office of our own; `start()` opens it. */
export async function prepareOwnOffice(): Promise<OwnOffice> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const folder = await mkdtemp(join(tmpdir(), 'atrium-acceptance-'))
  // started by root, the embedded database runs as another user, who must be able to get there
  await chmod(folder, 0o755)
  let office: ChildProcess | undefined
  let output = ''
  let removal: Promise<void> | undefined

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = office
    office = undefined
    if (!ending || hasEnded(ending)) return
    const ended = once(ending, 'exit')
    ending.kill(signal)
    const late = setTimeout(() => ending.kill('SIGKILL'), STOP_WITHIN_MS)
    await ended
    clearTimeout(late)
  }

  return {
    url,
    output: () => output,
    async start() {
      if (removal) throw new Error('the office is removed')
      const starting = spawnOffice(port, folder, (text) => {
        output = (output + text).slice(-OUTPUT_KEPT)
      })
      office = starting
      await waitFor('the office', READY_WITHIN_MS, async () => {
        if (hasEnded(starting)) throw new Error('the office ended while it was starting')
        return (await isReady(url)) || undefined
      })
    },
    async command(...args) {
      const env = environmentOf(port, folder)
      const { stdout } = await promisify(execFile)(process.execPath, [ENTRY, ...args], { env })
      return stdout
    },
    kill: () => end('SIGKILL'),
    remove() {
      removal ??= end('SIGTERM').then(() => removeFolder(folder))
      return removal
    },
  }
}

function spawnOffice(port: number, dataDir: string, hear: (text: string) => void): ChildProcess {
  const office = spawn(process.execPath, [ENTRY, 'serve'], {
    env: environmentOf(port, dataDir),
    // the channel ends the office when this process dies of whatever cause
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // a Ctrl-C at the terminal is for us: we close the office in order
    detached: process.platform !== 'win32',
  })
  for (const stream of [office.stdout, office.stderr]) stream?.on('data', (chunk) => hear(String(chunk)))
  return office
}

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }).catch((error) => {
    console.error(`could not remove ${folder}: ${error}`)
  })
}

/** The terminal's environment, but nothing in it (or in a `.env`) that would lead to an office in use. */
function environmentOf(port: number, dataDir: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ATRIUM_ENV: 'test',
    PORT: String(port),
    DATA_DIR: dataDir,
    HOST: '',
    BASE_URL: '',
    FRONTEND_URL: '',
    ALLOWED_ORIGINS: '',
    TRUST_PROXY: '',
    DATABASE_URL: '',
    SMTP_URL: '',
    STORAGE: '',
    IMAGE_CHECK_URL: '',
    AVATAR_PUBLIC_BASE_URL: '',
    AVATAR_UPLOAD_TRIES: '',
    // all walks come from one address
    // a busy machine is not what is tried
    DATABASE_WAIT_MS: '30000',
    RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0',
    RATE_LIMIT_CODES_PER_EMAIL: '',
    RATE_LIMIT_GUESSES_PER_ADDRESS: '',
    RATE_LIMIT_PER_USER: '',
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  }
}
