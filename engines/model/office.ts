import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { run } from '../commands.ts'
import { type Ends, end, untilAnswers } from '../processes.ts'

const ENTRY = fileURLToPath(new URL('../../server/bin/atrium.js', import.meta.url))
const INSIDE = new URL('inside-the-office.ts', import.meta.url).href

/** An office as a process of its own, which can be killed, and with a clock that can be moved. */
export interface ModelOffice {
  url: string
  /** What its clock says, in milliseconds. */
  now(): number
  /** Its clock goes forward. */
  moveClock(byMs: number): void
  /** kill -9, and opened again on the same data. @param defect planted from then on, in place of what is */
  reopen(defect?: string): Promise<void>
  /** What an operator types behind `atrium`. @returns what it prints */
  atrium(...args: string[]): Promise<string>
}

/** Budgets are not what is tried, and the busy machine neither. */
const UNLIMITED = [
  'CODES_PER_EMAIL',
  'CODES_PER_EMAIL_HOUR',
  'SIGN_IN_PER_ADDRESS',
  'GUESSES_PER_ADDRESS',
  'GUESSES_PER_EMAIL_HOUR',
  'GUESSES_PER_EMAIL_DAY',
  'PER_USER',
  'GUEST_PER_ADDRESS',
  'KNOCKS_PER_USER',
  'INVITATIONS_PER_USER',
  'INVITATIONS_PER_ORGANIZATION',
  'INVITATIONS_PER_ADDRESS',
  'INVITATIONS_PER_EMAIL',
  'EXPORTS_PER_USER',
  'EXPORTS_PER_ORGANIZATION',
  'MESSAGES_PER_CONVERSATION',
  'MESSAGES_PER_USER',
  'SIGN_ON_TRIALS_PER_ORGANIZATION',
  'WEBHOOK_TESTS_PER_HOST',
  'WEBHOOK_TESTS_PER_ADDRESS',
].map((name) => [`RATE_LIMIT_${name}`, '0'])

interface OpenOptions {
  /** Planted into it. */
  defect?: string
  settings?: Record<string, string>
}

export async function openModelOffice(
  ends: Ends,
  { defect, settings = {} }: OpenOptions = {},
): Promise<ModelOffice> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-model-'))
  ends.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }))
  // started by root, the embedded database runs as another user, who must be able to get there
  await chmod(folder, 0o755)
  const port = await freePort()
  const url = `http://localhost:${port}`
  const env = {
    ...process.env,
    ...Object.fromEntries(UNLIMITED),
    ATRIUM_ENV: 'test',
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: '',
    DATABASE_WAIT_MS: '30000',
    LOG_LEVEL: 'silent',
    AVATAR_UPLOAD_TRIES: '0',
    LOGO_UPLOAD_TRIES: '0',
    ORGANIZATIONS_PER_USER: '0',
    ...settings,
  }
  let aheadMs = 0
  let office: ChildProcess | undefined
  let planted = defect
  const open = async () => {
    office = spawn(process.execPath, ['--no-warnings', '--import', INSIDE, ENTRY, 'serve'], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...env, MODEL_CLOCK_MS: String(aheadMs), MODEL_DEFECT: planted ?? '' },
    })
    const gone = once(office, 'exit').then(() =>
      Promise.reject(new Error('the office ended before it answered')),
    )
    await Promise.race([untilAnswers(`${url}/health/ready`), gone])
  }
  ends.push(async () => office && end(office))
  await open()
  return {
    url,
    now: () => Date.now() + aheadMs,
    moveClock(byMs) {
      aheadMs += byMs
      office?.send({ aheadMs })
    },
    async reopen(another = planted) {
      planted = another
      if (office) await end(office, 'SIGKILL')
      await open()
    },
    atrium: (...args) =>
      run(process.execPath, ['--no-warnings', '--import', INSIDE, ENTRY, ...args], {
        env: { ...env, MODEL_CLOCK_MS: String(aheadMs), MODEL_DEFECT: '' } as Record<string, string>,
      }),
  }
}
