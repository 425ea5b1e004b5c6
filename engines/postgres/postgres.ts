import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'
import { end, freePort, untilAnswers } from '../processes.ts'
import { openNotificationGate } from './notification-gate.ts'
import { tryRevocation } from './revocation.ts'

/** The oldest PostgreSQL that Atrium promises to work with, as Debian 12 packages it. */
const BIN = '/usr/lib/postgresql/15/bin'
const ENTRY = fileURLToPath(new URL('../../server/bin/atrium.js', import.meta.url))
const WALKS = fileURLToPath(new URL('../../acceptance/run.ts', import.meta.url))

/** PostgreSQL 15 in the place of the embedded 18, by DATABASE_URL. */
export const postgres: Engine = {
  name: 'postgres',
  about: 'PostgreSQL 15 (Debian), by DATABASE_URL',
  async install() {
    if (existsSync(`${BIN}/postgres`)) return undefined
    if (process.getuid?.() !== 0) return 'PostgreSQL 15 is not installed, and only root can install it'
    try {
      await run('apt-get', ['update', '-q'])
      await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'postgresql-15'], {
        env: { DEBIAN_FRONTEND: 'noninteractive' },
      })
    } catch (error) {
      return `the package postgresql-15 cannot be installed: ${(error as Error).message.split('\n')[0]}`
    }
    return undefined
  },
  async try(check) {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-postgres-15-'))
    const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
    try {
      const url = await startServer(folder, ends)
      await tryOffice(url, check, ends)
    } finally {
      for (const end of ends.reverse()) await end()
    }
  },
}

/** A cluster of its own, as the user `postgres` where we are root: the server refuses root. */
async function startServer(folder: string, ends: (() => Promise<unknown>)[]): Promise<string> {
  await chmod(folder, 0o777)
  const user = await userOfServer()
  const password = randomBytes(16).toString('hex')
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password, { mode: 0o644 })
  const data = join(folder, 'data')
  await run(
    `${BIN}/initdb`,
    ['-D', data, '-U', 'atrium', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '-N'],
    { cwd: '/', ...user },
  )
  const port = await freePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'fsync=off',
  ]
  const server = spawn(`${BIN}/postgres`, ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    cwd: '/',
    stdio: 'ignore',
    ...user,
  })
  ends.push(() => end(server, 'SIGINT'))
  return `postgres://atrium:${password}@127.0.0.1:${port}/postgres`
}

/** The walks of the product, against an office on that server; and two nodes on it at once. */
async function tryOffice(databaseUrl: string, check: Check, ends: (() => Promise<unknown>)[]): Promise<void> {
  const gate = await openNotificationGate(databaseUrl, ends)
  let first = ''
  let second = ''
  await check('two nodes migrate and open at once', async () => {
    const [one, two] = await Promise.all([openNode(databaseUrl, ends), openNode(gate.url, ends)])
    await Promise.all([untilAnswers(`${one}/health/ready`), untilAnswers(`${two}/health/ready`)])
    first = one
    second = two
  })
  await tryRevocation(first, second, gate, check)
  await check('the walks pass', async () => {
    await run(process.execPath, [WALKS, '--url', first, 'front-door'])
  })
}

async function openNode(databaseUrl: string, ends: (() => Promise<unknown>)[]): Promise<string> {
  const port = await freePort()
  const node = spawn(process.execPath, [ENTRY, 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ATRIUM_ENV: 'test',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0',
      // a node is asked again and again until it refuses
      RATE_LIMIT_PER_USER: '0',
    },
  })
  ends.push(() => end(node, 'SIGTERM'))
  return `http://localhost:${port}`
}

async function userOfServer(): Promise<{ uid: number; gid: number } | Record<never, never>> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])])
  return { uid: Number(uid), gid: Number(gid) }
}
