import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const HERE = fileURLToPath(new URL('..', import.meta.url))

/** A store that production wants where LiveKit records; nothing that is measured stores a file. */
const RECORDER_STORE = {
  STORAGE: 's3',
  S3_ENDPOINT: 'http://127.0.0.1:9',
  S3_BUCKET: 'bench',
  S3_ACCESS_KEY_ID: 'bench',
  S3_SECRET_ACCESS_KEY: 'bench-bench-bench',
}

/** An office of our own on data of its own, to be started as often as one likes. */
export interface BenchOffice {
  url: string
  /** @param environment `development` brings the mailbox that a sign-up needs; `production` is what is measured */
  start(environment: 'development' | 'production'): Promise<ServerProcess>
  /** Of the embedded database; only while the office is open. */
  databaseUrl(): Promise<string>
  /** Removes its data. Stop it first. */
  remove(): Promise<void>
}

/**
 * @param more settings of the environment
 * @param root the checkout whose office it is, `nodeOptions` of its process where it serves as in production, and what
 * is asked until it answers
 */
export async function prepareOffice(
  more: Record<string, string> = {},
  { root = HERE, nodeOptions = [] as readonly string[], readyPath = '/health/ready' } = {},
): Promise<BenchOffice> {
  const entry = join(root, 'server', 'bin', 'atrium.js')
  const port = await freePort()
  const url = `http://localhost:${port}`
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
  // started by root, the embedded database runs as another user, who must be able to get there
  await chmod(folder, 0o755)
  const settings: Record<string, string> = {
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: url,
    DATA_DIR: folder,
    SECRET_KEY: randomBytes(48).toString('base64'),
    // one address and one person make all the requests
    RATE_LIMIT_PER_USER: '0',
    RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0',
    ...more,
  }
  return {
    url,
    start: (environment) =>
      startServer({
        script: entry,
        ...(environment === 'production' && { nodeOptions }),
        args: ['serve'],
        environment: {
          ...settings,
          ATRIUM_ENV: environment,
          // production wants a mail server; nothing that is measured sends a mail
          ...(environment === 'production' && {
            SMTP_URL: 'smtp://127.0.0.1:9',
            EMBEDDED_DATABASE: 'true',
            ...(settings.LIVEKIT_URL !== undefined && RECORDER_STORE),
          }),
        },
        port,
        readyPath,
      }),
    async databaseUrl() {
      const { stdout } = await promisify(execFile)(process.execPath, [entry, 'database-url'], {
        env: { PATH: process.env.PATH, ...settings },
      })
      return stdout.trim()
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }),
  }
}
