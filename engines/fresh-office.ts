import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { run } from './commands.ts'
import { type Ends, end, untilAnswers } from './processes.ts'

const ENTRY = fileURLToPath(new URL('../server/bin/atrium.js', import.meta.url))

export interface FreshOffice {
  /** Where it answers. */
  url: string
  /** What an operator types behind `atrium`. @returns what it prints */
  atrium(...args: string[]): Promise<string>
  /** kill -9, and opened again at the same address, on the same data. */
  reopen(): Promise<void>
  /** The id of its process as it is now. */
  processNow(): number
}

/** Opens an office in development, on a database of its own. @returns where it answers */
export async function openFreshOffice(settings: Record<string, string>, ends: Ends): Promise<string> {
  return (await openOperatedOffice(settings, ends)).url
}

/**
 * The same, for a trial that plays its operator too.
 * @param openBeside opens what is to stand beside the office before that is ready, such as the broker of its outbox
 */
export async function openOperatedOffice(
  settings: Record<string, string>,
  ends: Ends,
  openBeside?: (office: Pick<FreshOffice, 'url' | 'atrium'>) => Promise<unknown>,
): Promise<FreshOffice> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-office-'))
  ends.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }))
  // started by root, the embedded database runs as another user, who must be able to get there
  await chmod(folder, 0o755)
  const port = await freePort()
  const env = {
    ATRIUM_ENV: 'development',
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: '',
    // a busy machine is not what is tried
    DATABASE_WAIT_MS: '30000',
    // what Chromium plays on every machine: with ffmpeg they are tried by `film`
    EMBEDDED_MEDIA_RECORDING_GRID: 'false',
    ...settings,
  }
  const open = () =>
    spawn(process.execPath, [ENTRY, 'serve'], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, ...env },
    })
  let office = open()
  ends.push(() => end(office))
  const url = `http://localhost:${port}`
  const atrium = (...args: string[]) => run(process.execPath, ['--no-warnings', ENTRY, ...args], { env })
  if (openBeside) {
    await untilAnswers(`${url}/health/live`)
    await openBeside({ url, atrium })
  }
  await untilAnswers(`${url}/health/ready`)
  const reopen = async () => {
    await end(office, 'SIGKILL')
    office = open()
    await untilAnswers(`${url}/health/ready`)
  }
  return { url, atrium, reopen, processNow: () => office.pid ?? 0 }
}
