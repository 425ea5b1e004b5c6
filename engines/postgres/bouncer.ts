import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import pg from 'pg'
import { run } from '../commands.ts'
import { installPackage } from '../debian-packages.ts'
import type { Check } from '../engine.ts'
import { type Ends, start, untilAnswers } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { ENTRY, openNode } from './node.ts'

const PROGRAM = '/usr/sbin/pgbouncer'
const WALKS = fileURLToPath(new URL('../../acceptance/run.ts', import.meta.url))

/** PgBouncer before that database: refused in words where it shares sessions, and of use where it does not. */
export async function tryBouncer(databaseUrl: string, check: Check): Promise<void> {
  const missing = await installPackage('pgbouncer')
  if (missing) return console.log(`  - PgBouncer is not tried: ${missing}`)
  const ends: Ends = []
  try {
    await check('PgBouncer in transaction mode: doctor and a start say what it lacks', async () => {
      const url = await openBouncer(databaseUrl, 'transaction', ends)
      for (const command of ['doctor', 'serve']) {
        const refused = await run(process.execPath, ['--no-warnings', ENTRY, command], {
          env: { DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'fatal' },
        }).catch((error: Error) => error.message)
        assert.match(refused, /pool_mode = session/, `${command}: ${refused}`)
      }
    })
    await check('PgBouncer in session mode: the walks pass', async () => {
      const url = await openNode(await openBouncer(databaseUrl, 'session', ends), ends)
      await untilAnswers(`${url}/health/ready`)
      await run(process.execPath, [WALKS, '--url', url, 'front-door', 'chat'])
    })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** @returns the address by it */
async function openBouncer(databaseUrl: string, mode: string, ends: Ends): Promise<string> {
  const { hostname, port, username, password } = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bouncer-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const own = String(await freePort())
  const users = join(folder, 'users.txt')
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${users}`,
    `pool_mode = ${mode}`,
    'default_pool_size = 60',
    // what the driver says of itself as it connects
    'ignore_startup_parameters = extra_float_digits,statement_timeout,options,idle_in_transaction_session_timeout',
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  // it refuses to run as root
  const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  start(PROGRAM, [...asNobody, file], process.env, ends)
  const address = new URL(databaseUrl)
  address.host = `127.0.0.1:${own}`
  await eventually('PgBouncer answers', () => answers(address.href))
  return address.href
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
