import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'

/** The oldest PostgreSQL that Atrium promises to work with, as Debian 12 packages it. */
const BIN = '/usr/lib/postgresql/15/bin'
const ENTRY = fileURLToPath(new URL('../../server/bin/atrium.js', import.meta.url))
const WALKS = fileURLToPath(new URL('../../acceptance/run.ts', import.meta.url))
const READY_WITHIN_MS = 60_000

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
  let first = ''
  await check('two nodes migrate and open at once', async () => {
    const [one, two] = await Promise.all([openNode(databaseUrl, ends), openNode(databaseUrl, ends)])
    await Promise.all([untilReady(one), untilReady(two)])
    first = one
  })
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
    },
  })
  ends.push(() => end(node, 'SIGTERM'))
  return `http://localhost:${port}`
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline) {
    const response = await fetch(`${url}/health/ready`).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} was not ready within ${READY_WITHIN_MS / 1_000} s`)
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const late = setTimeout(() => child.kill('SIGKILL'), 30_000)
  await ended
  clearTimeout(late)
}

async function userOfServer(): Promise<{ uid: number; gid: number } | Record<never, never>> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])])
  return { uid: Number(uid), gid: Number(gid) }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || !address) throw new Error('no free port')
  return address.port
}
