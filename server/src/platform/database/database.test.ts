import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { openTcpGate } from '../../../tests/run/tcp-gate.ts'
import { timed } from '../../../tests/run/timed.ts'
import { until } from '../../../tests/until.ts'
import { type DatabaseOptions, type Db, openDatabase, openPool, type Pool } from './database.ts'
import { isDatabaseAway } from './database-errors.ts'
import { NAMES_MAX, PLANNED_EACH_TIME, PLANNED_ONCE } from './named-statements.ts'
import { newWaitingBudget, withinWaitingBudget } from './waiting-budget.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

const idleErrors: Error[] = []

function open(options: Partial<DatabaseOptions> = {}): { pool: Pool; db: Db } {
  idleErrors.length = 0
  const pool = openPool({
    connectionString: database.connectionString,
    maxConnections: 2,
    statementTimeoutMs: 10_000,
    onIdleError: (error) => idleErrors.push(error),
    ...options,
  })
  cleanUps.push(() => pool.ending || pool.end())
  return { pool, db: openDatabase(pool) }
}

/** What `work` threw, and after how many milliseconds. */
async function failureOf(work: () => Promise<unknown>) {
  const { result, ...time } = await timed(() =>
    work().then(
      () => new Error('nothing failed'),
      (thrown: unknown) => thrown,
    ),
  )
  return { error: result, ...time }
}

const works = (db: Db) =>
  sleep(db, 0).then(
    () => true,
    () => false,
  )
const sleep = (db: Db, seconds: number) => sql`select pg_sleep(${seconds})`.execute(db)
const backendOf = async (db: Db) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid

describe('a pool', () => {
  it('gives ids back without losing a digit', async () => {
    const { rows } = await open().pool.query('select 9007199254740993::bigint as id')
    expect(rows).toEqual([{ id: '9007199254740993' }])
  })

  it('begins every connection with its settings, and no transaction that fails takes them back', async () => {
    const settings = { timezone: 'Asia/Kolkata', 'atrium.word': "it's" }
    const { pool } = open({ settings })
    const clients = await Promise.all([pool.connect(), pool.connect()])
    const found = await Promise.all(
      clients.map(async (client) => {
        await client.query('begin')
        await client.query('select 1 / 0').catch(() => client.query('rollback'))
        const { rows } = await client.query(
          `select current_setting('timezone') as timezone, current_setting('atrium.word') as "atrium.word"`,
        )
        return rows[0]
      }),
    )
    for (const client of clients) client.release()
    expect(found).toEqual([settings, settings])
  })

  it('gives out no connection without its settings', async () => {
    const { pool } = open({ settings: { timezone: 'Nowhere/At all' } })
    await expect(pool.query('select 1')).rejects.toThrow('TimeZone')
  })

  it('prepares a data statement once per connection, for all callers', async () => {
    const { db, pool } = open({ maxConnections: 1 })
    for (const id of ['1', '2', '3']) await db.selectFrom('users').select('id').where('id', '=', id).execute()
    await pool.query('select id from users where id = $1', ['4'])
    const { rows } = await pool.query(
      `select statement from pg_prepared_statements where statement like '%users%'`,
    )
    expect(rows).toHaveLength(2)
  })

  it('prepares so many statements on each connection and no more, independent of the others', async () => {
    const { pool } = open({ maxConnections: 2 })
    const clients = await Promise.all([pool.connect(), pool.connect()])
    const askedAndPrepared = async (client: pg.ClientBase, texts: number, first = 0) => {
      const numbers: unknown[] = []
      for (let n = first; n < first + texts; n++) {
        const { rows } = await client.query(`select ${n} as n where $1::int = 1`, [1])
        numbers.push(rows[0]?.n)
      }
      const { rows } = await client.query('select count(*)::int as prepared from pg_prepared_statements')
      return [numbers.length, numbers.every((n, place) => n === first + place), rows[0]?.prepared]
    }
    const [full, other] = clients as [pg.PoolClient, pg.PoolClient]
    expect(await askedAndPrepared(full, NAMES_MAX + 3)).toEqual([NAMES_MAX + 3, true, NAMES_MAX])
    expect(await askedAndPrepared(other, 2, NAMES_MAX)).toEqual([2, true, 2])
    // what was prepared stays so
    expect(await askedAndPrepared(full, 3)).toEqual([3, true, NAMES_MAX])
    for (const client of clients) client.release()
  })

  it('plans what is prepared once, also where a list comes with it', async () => {
    const { pool } = open({ maxConnections: 1, settings: PLANNED_ONCE })
    const names = 'select id from users where id = any($1::bigint[])'
    for (let n = 1; n <= 10; n++) await pool.query(names, [[String(n)]])
    const { rows } = await pool.query(
      'select generic_plans::int as once, custom_plans::int as "eachTime" from pg_prepared_statements where statement = $1',
      [names],
    )
    expect(rows).toEqual([{ once: 10, eachTime: 0 }])
  })

  it('plans for its values what says so, and sends any text as it is', async () => {
    const { pool } = open({ maxConnections: 1, settings: PLANNED_ONCE })
    const texts = ["it's", '\\', '$1', "\\' or true --", '%_\n\u{1F600}', '']
    for (const text of texts) {
      const query = pool.query(`select $1 as text, length($2) as length${PLANNED_EACH_TIME}`, [text, 'four'])
      expect((await query).rows).toEqual([{ text, length: 4 }])
    }
    const { rows } = await pool.query(`explain select id from users where id = $1${PLANNED_EACH_TIME}`, [7])
    expect(JSON.stringify(rows)).toContain('(id = ' + "'7'::bigint)")
    const refused = pool.query(`select $1 as text${PLANNED_EACH_TIME}`, ['a\0b'])
    await expect(refused).rejects.toMatchObject({ code: '22021' })
    await expect(pool.query(`select $1${PLANNED_EACH_TIME}`, [['a list']])).rejects.toThrow(TypeError)
  })

  it('ends a statement that takes too long, on the server too, and goes on', async () => {
    const { db } = open({ maxConnections: 1, statementTimeoutMs: 200 })
    const { error } = await failureOf(() => sleep(db, 20))
    expect(isDatabaseAway(error)).toBe(true)
    expect((error as { code?: string }).code).toBe('57014')
    expect((await sleep(db, 0)).rows).toHaveLength(1)
  })

  it('refuses those who wait too long for a connection, and serves them when one is free', async () => {
    const { db } = open({ maxConnections: 1 })
    const long = sleep(db, 2.5)
    const { error } = await failureOf(() => sleep(db, 0))
    expect(isDatabaseAway(error)).toBe(true)
    await long
    expect((await sleep(db, 0)).rows).toHaveLength(1)
  })

  it('gives out no connection that the server has just ended', async () => {
    const { pool, db } = open({ maxConnections: 1 })
    const endedAtWork = async (place: number, work: () => Promise<unknown>) => {
      const failure = failureOf(work)
      await until(
        async () =>
          (
            await database.pool.query(
              `select pg_terminate_backend(pid) from pg_stat_activity where query ~ $1`,
              [`^select pg_sleep.* -- ended ${place}$`],
            )
          ).rowCount !== 0,
      )
      return (await failure).error
    }
    // a connection that is being ended is still listed with its statement for a while
    const text = (place: number) => `select pg_sleep(60) -- ended ${place}`
    const kinds = [() => sql.raw(text(0)).execute(db), () => pool.query(text(1))]
    for (const [place, work] of kinds.entries()) {
      expect(await endedAtWork(place, work)).toMatchObject({ code: '57P01' })
      expect(await works(db)).toBe(true)
    }
  })

  it('outlives connections that are cut: idle ones, one at work, and one that is held', async () => {
    const { db, pool } = open()
    const held = await pool.connect()
    const busy = sleep(db, 20)
    busy.catch(() => {})
    await expect.poll(() => pool.totalCount).toBe(2)
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'atrium' and pid <> pg_backend_pid()`,
    )
    expect(isDatabaseAway((await failureOf(() => busy)).error)).toBe(true)
    expect(isDatabaseAway((await failureOf(() => held.query('select 1'))).error)).toBe(true)
    held.release()
    await expect.poll(() => works(db)).toBe(true)
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'atrium' and pid <> pg_backend_pid()`,
    )
    await expect.poll(() => idleErrors.length).toBeGreaterThan(0)
    await expect.poll(() => works(db)).toBe(true)
  })
})

describe('a server that falls silent', () => {
  async function openBehindGate(options: Partial<DatabaseOptions> = {}) {
    const gate = await openTcpGate(database.connectionString)
    cleanUps.push(() => gate.close())
    return { gate, ...open({ connectionString: gate.url, ...options }) }
  }

  it('costs a caller the time of one statement, and the pool the connection', async () => {
    const { gate, db, pool } = await openBehindGate({ maxConnections: 1, statementTimeoutMs: 100 })
    const before = await backendOf(db)
    gate.freeze()
    const { error, ms, allowance } = await failureOf(() => backendOf(db))
    expect(isDatabaseAway(error)).toBe(true)
    expect(ms).toBeLessThan(2_000 + allowance)
    gate.thaw()
    expect(await backendOf(db)).not.toBe(before)
    expect(pool.totalCount).toBe(1)
  })

  it('does not keep the pool from ending', async () => {
    const { gate, db, pool } = await openBehindGate()
    await Promise.all([sleep(db, 0.05), sleep(db, 0.05)])
    sleep(db, 0).catch(() => {})
    gate.freeze()
    const { ms, allowance } = await timed(() => pool.end())
    expect(ms).toBeLessThan(8_000 + allowance)
  })
})

describe('within a budget', () => {
  const within = <T>(milliseconds: number, work: () => Promise<T>) =>
    withinWaitingBudget(newWaitingBudget(milliseconds), work)

  it('everything works as without', async () => {
    const { db, pool } = open()
    await within(10_000, async () => {
      expect((await sleep(db, 0)).rows).toHaveLength(1)
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      expect((await pool.query({ text: 'select $1::int as one', values: [1] })).rows).toEqual([{ one: 1 }])
      await expect(pool.query('select nonsense')).rejects.toMatchObject({ code: '42703' })
      await db.transaction().execute((tx) => sleep(tx, 0))
    })
  })

  it('statements one after the other share the time', async () => {
    const { db } = open()
    const { error, ms, allowance } = await failureOf(() =>
      within(600, async () => {
        for (let count = 0; count < 50; count++) await sleep(db, 0.25)
      }),
    )
    expect(isDatabaseAway(error)).toBe(true)
    expect(ms).toBeGreaterThan(500)
    expect(ms).toBeLessThan(3_000 + allowance)
  })

  it('statements at the same time count once', async () => {
    const { db } = open({ maxConnections: 10 })
    await within(5_000, () => Promise.all(Array.from({ length: 10 }, () => sleep(db, 0.6))))
  })

  it('what is spent elsewhere does not count', async () => {
    const { db } = open()
    await within(1_500, async () => {
      await sleep(db, 0)
      await new Promise((resolve) => setTimeout(resolve, 1_600))
      await sleep(db, 0)
    })
  })

  it('waiting for a connection counts, and once the time is over no caller waits at all', async () => {
    const { db, pool } = open({ maxConnections: 1 })
    const held = await pool.connect()
    const budget = newWaitingBudget(300)
    const first = await failureOf(() => withinWaitingBudget(budget, () => sleep(db, 0)))
    const second = await failureOf(() => withinWaitingBudget(budget, () => sleep(db, 0)))
    const third = await failureOf(() => withinWaitingBudget(budget, () => pool.query('select 1')))
    for (const { error } of [first, second, third]) expect(isDatabaseAway(error)).toBe(true)
    expect(first.ms).toBeLessThan(1_500 + first.allowance)
    expect(second.ms + third.ms).toBeLessThan(500 + second.allowance + third.allowance)
    held.release()
    expect((await sleep(db, 0)).rows).toHaveLength(1)
    // the connection that came too late for the first was not lost
    expect(pool.idleCount).toBe(1)
  })

  it('a connection is made to its end, settings and all, when who asked for it is out of time', async () => {
    const { db, pool } = open({ maxConnections: 1, settings: { 'atrium.word': 'here' } })
    const { error } = await failureOf(() => within(1, () => sleep(db, 0)))
    expect(isDatabaseAway(error)).toBe(true)
    await expect.poll(() => pool.idleCount).toBe(1)
    expect(idleErrors).toEqual([])
    const { rows } = await pool.query(`select current_setting('atrium.word') as word`)
    expect(rows).toEqual([{ word: 'here' }])
  })

  it('a transaction that runs out of time is rolled back, and no caller inherits it', async () => {
    const { db, pool } = open({ maxConnections: 1 })
    const before = await backendOf(db)
    const { error } = await failureOf(() =>
      within(1_500, () =>
        db.transaction().execute(async (tx) => {
          await sql`insert into sandbox_mails (recipient, subject, text_body, html_body, received_at)
            values ('late@people.example', 's', 't', 'h', now())`.execute(tx)
          await sleep(tx, 20)
        }),
      ),
    )
    expect(isDatabaseAway(error)).toBe(true)
    expect(await backendOf(db)).not.toBe(before)
    const { rows } = await pool.query(`select 1 from sandbox_mails where recipient = 'late@people.example'`)
    expect(rows).toEqual([])
  })
})
