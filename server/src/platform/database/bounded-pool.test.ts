import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { openTcpGate, type TcpGate } from '../../../tests/run/tcp-gate.ts'
import { openPool, type Pool } from './database.ts'
import { isDatabaseAway } from './database-errors.ts'
import { newWaitingBudget, withinWaitingBudget } from './waiting-budget.ts'

/** A switch-over of the database, as a request sees it: connections end, and none can be made for two seconds. */
const SWITCH_OVER_MS = 2_000
const ROWS = `select count(*)::int as rows from sandbox_mails where recipient = 'again@people.example'`
const INSERT = `insert into sandbox_mails (recipient, subject, text_body, html_body, received_at)
  values ('again@people.example', 's', 't', 'h', now())`

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function openBehindGate(change = (url: string) => url): Promise<{ gate: TcpGate; pool: Pool }> {
  const gate = await openTcpGate(database.connectionString)
  cleanUps.push(() => gate.close())
  const pool = openPool({
    connectionString: change(gate.url),
    maxConnections: 3,
    statementTimeoutMs: 20_000,
    acquireWithinMs: 20_000,
    awaitsServer: true,
    onIdleError: () => {},
  })
  cleanUps.push(() => pool.ending || pool.end())
  return { gate, pool }
}

const request = <T>(milliseconds: number, work: () => Promise<T>) =>
  withinWaitingBudget(newWaitingBudget(milliseconds), work)

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('while no connection can be made', () => {
  it('requests wait within their time, those with a connection that was cut too, and none is refused', async () => {
    const { gate, pool } = await openBehindGate()
    const ask = () => request(30_000, () => pool.query('select 1 as one'))
    await Promise.all([ask(), ask(), ask()])
    gate.refuse()
    await expect.poll(() => pool.totalCount).toBe(0)
    const asked = Array.from({ length: 12 }, ask)
    await pause(SWITCH_OVER_MS)
    gate.admit()
    const answers = await Promise.all(asked)
    expect(answers.map(({ rows }) => rows)).toEqual(Array(12).fill([{ one: 1 }]))
  })

  it('one attempt is made for all who wait', async () => {
    const { gate, pool } = await openBehindGate()
    gate.refuse()
    const asked = Array.from({ length: 40 }, () => request(30_000, () => pool.query('select 1')))
    // each has tried by itself once
    await expect.poll(() => gate.refusals(), { timeout: 10_000, interval: 10 }).toBeGreaterThan(45)
    expect(gate.refusals()).toBeLessThan(80)
    gate.admit()
    await Promise.all(asked)
  })

  it('a request is told so when its time is over, and work of no request at once', async () => {
    const { gate, pool } = await openBehindGate()
    gate.refuse()
    const asked = [request(500, () => pool.query('select 1')), pool.query('select 1')]
    for (const error of await Promise.all(asked.map(failureOf))) expect(isDatabaseAway(error)).toBe(true)
    gate.admit()
    expect((await request(30_000, () => pool.query('select 1 as one'))).rows).toEqual([{ one: 1 }])
  })

  it('a statement is never sent again where its connection is cut without a word', async () => {
    const { gate, pool } = await openBehindGate()
    const client = await pool.connect()
    await client.query('begin')
    await client.query('lock table sandbox_mails in exclusive mode')
    const sent = request(30_000, () => pool.query(INSERT))
    const failure = failureOf(sent)
    // of this database: other test files have locks of their own
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await database.pool.query(waiting)).rowCount).toBe(1)
    gate.refuse()
    gate.admit()
    client.release(true)
    expect(await failure).toSatisfy(isDatabaseAway)
    const { rows } = await request(30_000, () => pool.query(ROWS))
    expect(rows[0].rows).toBeLessThan(2)
  })

  it('what waiting does not mend is told at once', async () => {
    const { pool } = await openBehindGate((url) => url.replace(/\/[^/]*$/, '/nowhere'))
    await expect(request(600_000, () => pool.query('select 1'))).rejects.toMatchObject({ code: '3D000' })
  })

  it('the pool ends', async () => {
    const { gate, pool } = await openBehindGate()
    gate.refuse()
    const asked = failureOf(request(600_000, () => pool.query('select 1')))
    await expect.poll(() => gate.refusals()).toBeGreaterThan(1)
    await pool.end()
    expect(await asked).toBeInstanceOf(Error)
  })
})
