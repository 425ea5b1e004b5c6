import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { appendCommand } from '../../../tests/realtime/outbox-commands.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { until } from '../../../tests/until.ts'
import { openPool, type Pool } from '../database/database.ts'
import { listenForNotifications, type Notifications } from './notifications.ts'
import { growOutbox, lastPartition } from './outbox.ts'
import { type OutboxRelay, startOutboxRelay } from './outbox-relay.ts'

let database: FreshDatabase
let notifications: Notifications
let relayPool: Pool
const open: OutboxRelay[] = []

beforeAll(async () => {
  database = await freshDatabase()
  relayPool = openPool({
    connectionString: database.connectionString,
    maxConnections: 8,
    statementTimeoutMs: 10_000,
    onIdleError: () => {},
  })
  const { log } = recordedLog()
  notifications = listenForNotifications({
    connectionString: database.connectionString,
    log,
    onGap: () => {},
  })
})
beforeEach(async () => {
  for (const relay of open.splice(0)) await relay.stop()
  await database.pool.query('delete from centrifugo_outbox')
})
afterAll(async () => {
  for (const relay of open.splice(0)) await relay.stop()
  await notifications.close()
  await relayPool.end()
  await database.drop()
})

interface Row {
  method: string
  payload: { channel: string; data: { id: string; data: number } }
}

function relay(dispatch: (method: string, payload: unknown) => void, listener = notifications) {
  const { log, lines } = recordedLog()
  const started = startOutboxRelay({ pool: relayPool, notifications: listener, log, dispatch })
  open.push(started)
  return { stop: () => started.stop(), lines }
}

function collector() {
  const rows: Row[] = []
  return { rows, dispatch: (method: string, payload: unknown) => void rows.push({ method, payload } as Row) }
}

async function append(user: string, n: number): Promise<void> {
  await database.pool.query('select append_event($1, $2, now(), $3, $4)', [
    [`user:o:${user}`],
    'counted',
    JSON.stringify(n),
    user,
  ])
}

async function waiting(): Promise<number> {
  const { rows } = await database.pool.query('select count(*)::int as n from centrifugo_outbox')
  return rows[0].n as number
}

const users = Array.from({ length: 12 }, (_, n) => `user_${n}`)

describe('the relay of the outbox', () => {
  it('hands every row over once, in the order of its key, and empties the table', async () => {
    for (let n = 0; n < 25; n++) await Promise.all(users.map((user) => append(user, n)))
    const { rows, dispatch } = collector()
    relay(dispatch)
    await until(async () => (await waiting()) === 0)
    expect(rows).toHaveLength(25 * users.length)
    for (const user of users) {
      const own = rows.filter(({ payload }) => payload.channel === `user:o:${user}`)
      expect(own.map(({ payload }) => payload.data.data)).toEqual(Array.from({ length: 25 }, (_, n) => n))
    }
  })

  it('hears of new rows at once, commands in line with events', async () => {
    const { rows, dispatch } = collector()
    relay(dispatch)
    await append('user_1', 1)
    await appendCommand(database.db, 'unsubscribe', { user: 'user_1', channel: 'org:o' }, 'user_1')
    await append('user_1', 2)
    await until(async () => rows.length === 3)
    expect(rows.map(({ method }) => method)).toEqual(['publish', 'unsubscribe', 'publish'])
  })

  it('finds rows without a notification', async () => {
    const { rows, dispatch } = collector()
    relay(dispatch, { on: () => {}, isLive: () => false } as unknown as Notifications)
    await append('user_1', 1)
    await until(async () => rows.length === 1)
  })

  it('shares the work with another one: each row once, each key in order', async () => {
    const { rows, dispatch } = collector()
    relay(dispatch)
    relay(dispatch)
    for (let n = 0; n < 40; n++) await Promise.all(users.map((user) => append(user, n)))
    await until(async () => (await waiting()) === 0)
    expect(new Set(rows.map(({ payload }) => payload.data.id)).size).toBe(rows.length)
    expect(rows).toHaveLength(40 * users.length)
    for (const user of users) {
      const own = rows.filter(({ payload }) => payload.channel === `user:o:${user}`)
      expect(own.map(({ payload }) => payload.data.data)).toEqual(Array.from({ length: 40 }, (_, n) => n))
    }
  })

  it('reads a queue that comes while it is at work, told of it or not', async () => {
    const told = collector()
    const one = relay(told.dispatch)
    try {
      await growOutbox(database.connectionString, 6)
      const { key } = await lastPartition(database.db, 'user')
      await append(key, 1)
      await until(async () => told.rows.length === 1)
      await one.stop()
      const unheard = collector()
      relay(unheard.dispatch, { on: () => {}, isLive: () => false } as unknown as Notifications)
      await append(key, 2)
      await until(async () => unheard.rows.length === 1)
    } finally {
      await database.pool.query('update outbox_partitions set partitions = default')
    }
  })

  it('drops and logs a row that can never be carried out, and goes on', async () => {
    const rows: string[] = []
    const { lines } = relay((method, payload) => {
      if (method === 'fly') throw new Error('there is no such command')
      rows.push((payload as Row['payload']).data.id)
    })
    await append('user_1', 1)
    await database.pool.query(
      `insert into centrifugo_outbox (method, payload, partition) values ('fly', '{}', 0)`,
    )
    await append('user_1', 2)
    await until(async () => rows.length === 2 && (await waiting()) === 0)
    expect(lines).toMatchObject([{ method: 'fly', err: { message: 'there is no such command' } }])
  })

  it('survives that its connections are cut, and loses nothing', async () => {
    const { rows, dispatch } = collector()
    relay(dispatch)
    for (let n = 0; n < 30; n++) {
      await append('user_1', n)
      if (n % 10 === 5)
        await database.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and application_name = 'atrium'
             and query like '%centrifugo_outbox%' and state <> 'active'`,
        )
    }
    await until(async () => (await waiting()) === 0)
    const seen = [...new Set(rows.map(({ payload }) => payload.data.data))]
    expect(seen).toEqual(Array.from({ length: 30 }, (_, n) => n))
  })

  it('loses nothing when it is killed again and again in the middle of it', async () => {
    const total = 3_000
    await database.pool.query(
      `insert into centrifugo_outbox (method, payload, partition)
       select 'publish', jsonb_build_object('n', n), n % 4 from generate_series(1, $1::int) n`,
      [total],
    )
    const folder = await mkdtemp(join(tmpdir(), 'atrium-relay-'))
    const file = join(folder, 'handed-over')
    await writeFile(file, '')
    const seen = async () => (await readFile(file, 'utf8')).trim().split('\n').filter(Boolean).map(Number)
    let lives = 0
    for (; (await waiting()) > 0 && lives < 60; lives++) {
      const child = fork(new URL('fixtures/relay-process.ts', import.meta.url), [
        database.connectionString,
        file,
        String(40 + lives * 37),
      ])
      const closed = once(child, 'close')
      await until(async () => child.signalCode !== null || (await waiting()) === 0)
      child.kill('SIGKILL')
      await closed
    }
    const all = await seen()
    await rm(folder, { recursive: true })
    expect(lives).toBeGreaterThan(5)
    expect(await waiting()).toBe(0)
    for (const partition of [0, 1, 2, 3]) {
      const first = [...new Set(all.filter((n) => n % 4 === partition))]
      const expected = Array.from({ length: total }, (_, n) => n + 1).filter((n) => n % 4 === partition)
      // what was handed over twice came again in its order
      expect(first).toEqual(expected)
    }
  })
})
