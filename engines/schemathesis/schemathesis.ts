import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'
import { keep, keptAt } from '../kept.ts'
import { type Ends, start, untilAnswers } from '../processes.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const VERSION = '4.32.5'
const KEPT = [`schemathesis-${VERSION}`, 'bin/st'] as const
const CALLERS = ['visitor', 'administrator'] as const
const WITHIN_MS = 60 * 60_000

/** Requests made of the published document, right ones and wrong ones: what it says has to hold. */
export const schemathesis: Engine = {
  name: 'schemathesis',
  about: `Schemathesis ${VERSION} (PyPI), all checks and phases, on the document that the office serves`,
  install,
  async try(check) {
    // each at an office of its own; where one fails the other takes its own away all the same
    const tried = await Promise.allSettled(CALLERS.map((caller) => tryCaller(caller, check)))
    for (const one of tried) if (one.status === 'rejected') throw one.reason
  },
}

async function tryCaller(caller: (typeof CALLERS)[number], check: Check): Promise<void> {
  const ends: Ends = []
  try {
    const url = await startOffice(ends)
    await check(`the document holds for a ${caller}`, () => tryDocument(url, caller))
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** Into a virtual environment of its own, which is kept. @returns why it cannot be had here */
async function install(): Promise<string | undefined> {
  try {
    await keep(...KEPT, async (draft) => {
      await run('python3', ['-m', 'venv', '--clear', draft])
      await run(join(draft, 'bin/pip'), ['install', '--quiet', `schemathesis==${VERSION}`])
    })
  } catch (error) {
    return `Schemathesis cannot be had: ${(error as Error).message.split('\n')[0]}`
  }
  return undefined
}

/** An office without rate limits, which answers 500 to whatever the contract does not declare. */
async function startOffice(ends: Ends): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-schemathesis-'))
  ends.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const settings = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ATRIUM_ENV: 'test',
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: join(folder, 'office'),
    // a 500 says why beside the run that found it
    LOG_LEVEL: 'error',
    AVATAR_UPLOAD_TRIES: '0',
    LOGO_UPLOAD_TRIES: '0',
    // a busy machine is not what is tried
    DATABASE_WAIT_MS: '30000',
    RATE_LIMIT_CODES_PER_EMAIL: '0',
    RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0',
    RATE_LIMIT_GUESSES_PER_ADDRESS: '0',
    RATE_LIMIT_GUEST_PER_ADDRESS: '0',
    RATE_LIMIT_PER_USER: '0',
  }
  start(
    process.execPath,
    ['--no-warnings', `${ROOT}server/bin/atrium.js`, 'serve'],
    settings,
    ends,
    'inherit',
  )
  await untilAnswers(`${url}/health/ready`)
  return url
}

async function tryDocument(url: string, caller: (typeof CALLERS)[number]): Promise<void> {
  const here = fileURLToPath(new URL('.', import.meta.url))
  const args = ['--config-file', join(here, 'schemathesis.toml'), 'run', `${url}/openapi.json`]
  const output = await run(
    keptAt(KEPT[0], 'bin/python'),
    // by its own Python: the environment was made at another place, which the first line of the program names
    [keptAt(...KEPT), ...args, '--checks', 'all', '--phases', 'examples,coverage,fuzzing,stateful'],
    {
      cwd: tmpdir(),
      env: {
        ATRIUM_URL: url,
        ATRIUM_CALLER: caller,
        SCHEMATHESIS_HOOKS: 'hooks',
        PYTHONPATH: here,
        PYTHONDONTWRITEBYTECODE: '1',
        NO_COLOR: '1',
      },
      withinMs: WITHIN_MS,
    },
  )
  console.log(output.slice(output.lastIndexOf('Test cases:')).trim())
}
