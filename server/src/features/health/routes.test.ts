import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { until } from '../../../tests/until.ts'
import { mendCatalogue } from '../../platform/database/mend-catalogue.ts'
import { createServer, type Server } from '../../platform/http/server.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { type HealthNeeds, serveHealth } from './routes.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

let server: Server
afterEach(() => server.close())

const well = async () => {}
const away = async () => {
  throw new Error('nobody answers')
}
const OK = { database: 'ok', mail: 'ok', broker: 'ok', storage: 'ok', imageCheck: 'ok', media: 'ok' }

async function readiness(changed: Record<string, unknown> = {}) {
  server = await createServer({ log: recordedLog().log, trustProxy: [], origins: [], secure: false })
  serveHealth(server, {
    pool: database.pool,
    mail: { check: well },
    broker: { check: well },
    storage: { check: well },
    imageCheck: { ready: well },
    media: { check: well },
    isDraining: () => false,
    ...changed,
  } as unknown as HealthNeeds)
  const answer = await server.inject('/health/ready')
  return { status: answer.statusCode, body: answer.json() }
}

describe('GET /health/ready', () => {
  // before any other: a pool that was up to date once is not looked at again
  it('is not ready with an old schema, and tells what measures it', async () => {
    const { rows } = await database.pool.query(
      'delete from schema_migrations where id = (select max(id) from schema_migrations) returning name, run_on',
    )
    const told: boolean[] = []
    const onAnswered = (isReady: boolean) => told.push(isReady)
    expect(await readiness({ onAnswered })).toEqual({
      status: 503,
      body: {
        status: 'not-ready',
        parts: { ...OK, database: 'down' },
        problems: [expect.stringContaining('run npx atrium migrate')],
      },
    })
    await server.close()
    await readiness({ onAnswered, isDraining: () => true })
    expect(told).toEqual([false])
    await database.pool.query('insert into schema_migrations (name, run_on) values ($1, $2)', [
      rows[0].name,
      rows[0].run_on,
    ])
  })

  it.each([
    ['is silent', () => new Promise(() => {}), 'does not answer within 1 s'],
    [
      'is away',
      async () => Promise.reject(Object.assign(new Error('canary'), { code: 'ECONNREFUSED' })),
      'is away or refuses this node (ECONNREFUSED)',
    ],
  ])('names a database that %s', async (_, answer, says) => {
    const pool = { query: answer, connect: answer }
    const { status, body } = await readiness({ pool })
    expect(status).toBe(503)
    expect(body).toMatchObject({ parts: { database: 'down' }, problems: [expect.stringContaining(says)] })
    expect(JSON.stringify(body)).not.toContain('canary')
  })

  it('is ready where all is well', async () => {
    expect(await readiness()).toEqual({ status: 200, body: { status: 'ready', parts: OK } })
  })

  it.each([
    ['mail', { check: away }],
    ['broker', { check: away }],
    ['storage', { check: away }],
    ['imageCheck', { ready: away }],
    ['media', { check: away }],
    ['mail', { check: () => new Promise(() => {}) }],
  ])('stays ready and names %s as degraded where it errs or is silent', async (part, port) => {
    expect(await readiness({ [part]: port })).toEqual({
      status: 200,
      body: { status: 'ready', parts: { ...OK, [part]: 'degraded' } },
    })
  })

  it('is not ready without the row security of chat, says so, and is again when it was mended', async () => {
    const broken = await freshDatabase()
    onTestFinished(() => broken.drop())
    await broken.pool.query('drop policy messages_of_own_conversations on messages')
    expect(await readiness({ pool: broken.pool })).toEqual({
      status: 503,
      body: {
        status: 'not-ready',
        parts: { ...OK, database: 'down' },
        problems: [
          expect.stringContaining('The policy messages_of_own_conversations on messages is missing'),
          'Mend it with: npx atrium database check --mend',
        ],
      },
    })
    await mendCatalogue(broken.db)
    expect((await server.inject('/health/ready')).json()).toEqual({ status: 'ready', parts: OK })
    // an index is a matter of speed: looked at by a server that has not found all well yet
    await broken.pool.query('drop index sessions_of_user')
    await server.close()
    expect(await readiness({ pool: broken.pool })).toMatchObject({
      status: 200,
      body: { status: 'ready', parts: { ...OK, database: 'degraded' } },
    })
  })

  it('is not ready on a database that has become read-only, says so, and is again when it is the primary', async () => {
    const failedOver = await freshDatabase()
    onTestFinished(() => failedOver.drop())
    const { pool } = failedOver
    expect(await readiness({ pool })).toMatchObject({ status: 200 })
    const name = new URL(failedOver.connectionString).pathname.slice(1)
    const readOnly = async (is: 'on' | 'off') => {
      await pool.query(
        `set transaction read write; alter database ${name} set default_transaction_read_only = ${is}`,
      )
      // as a failover does: every connection is another one afterwards
      await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
      await pool.query(`set default_transaction_read_only = ${is}`)
    }
    await readOnly('on')
    const answer = () => server.inject('/health/ready')
    await until(async () => (await answer()).statusCode === 503)
    expect((await answer()).json()).toEqual({
      status: 'not-ready',
      parts: { ...OK, database: 'down' },
      problems: [expect.stringContaining('The database takes no writes: it is read-only')],
    })
    await readOnly('off')
    await until(async () => (await answer()).statusCode === 200)
  })

  it('is not ready where the disk of the database is full', async () => {
    const full = await freshDatabase()
    onTestFinished(() => full.drop())
    await full.pool.query(`create function no_space() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`)
    await full.pool.query(
      'create trigger full_disk before insert or update on readiness_probes for each row execute function no_space()',
    )
    expect(await readiness({ pool: full.pool })).toMatchObject({
      status: 503,
      body: { parts: { database: 'down' }, problems: [expect.stringContaining('its disk is full')] },
    })
  })

  it('is not ready where a table could not grow, though its own row still fits, until there is room again', async () => {
    const full = await freshDatabase()
    onTestFinished(() => full.drop())
    await full.pool.query(`create function no_room() returns trigger language plpgsql as $$
      begin
        if (select count(*) from added) > 1 then raise exception 'could not extend file' using errcode = 'disk_full'; end if;
        return null;
      end $$`)
    await full.pool.query('create table crowded (at timestamptz)')
    for (const table of ['crowded', 'readiness_probes'])
      await full.pool.query(`create trigger no_room after insert on ${table} referencing new table as added
        for each statement execute function no_room()`)
    expect(await readiness({ pool: full.pool })).toMatchObject({ status: 200 })
    await server.close()
    await expect(full.pool.query('insert into crowded values (now()), (now())')).rejects.toThrow('could not')
    const notReady = { status: 503, body: { problems: [expect.stringContaining('its disk is full')] } }
    expect(await readiness({ pool: full.pool })).toMatchObject(notReady)
    await server.close()
    expect(await readiness({ pool: full.pool })).toMatchObject(notReady)
    await server.close()
    await full.pool.query('drop function no_room cascade')
    expect(await readiness({ pool: full.pool })).toMatchObject({ status: 200 })
    expect((await full.pool.query('select from readiness_probes')).rowCount).toBeLessThan(10)
  })

  it('is not ready where the data folder takes no files; a store elsewhere that errs is degraded', async () => {
    const check = async () => {
      throw new ProviderFailure('storage', 'check', {
        retryable: true,
        cause: Object.assign(new Error(), { code: 'ENOENT' }),
      })
    }
    const storage = { check }
    expect(await readiness({ storage, storageIsFolder: true })).toMatchObject({
      status: 503,
      body: { parts: { storage: 'down' }, problems: [expect.stringContaining('takes no files (ENOENT)')] },
    })
    await server.close()
    expect(await readiness({ storage })).toMatchObject({
      status: 200,
      body: { parts: { storage: 'degraded' } },
    })
  })

  it('a data folder that is only slow leaves it ready', async () => {
    const storage = { check: () => new Promise(() => {}) }
    expect(await readiness({ storage, storageIsFolder: true })).toMatchObject({
      status: 200,
      body: { parts: { storage: 'degraded' } },
    })
  })

  it('is not ready once it was told to stop', async () => {
    expect(await readiness({ isDraining: () => true })).toMatchObject({
      status: 503,
      body: { status: 'draining' },
    })
  })
})

it('a question about health of either kind has no line in the log, and is no request of the metrics: whoever looks after the node asks all day, and hears 503 while it drains', async () => {
  const recorded = recordedLog()
  const answered: string[] = []
  server = await createServer({
    ...{ log: recorded.log, trustProxy: [], origins: [], secure: false },
    onAnswered: ({ operation }) => answered.push(operation),
  })
  const needs = {
    pool: database.pool,
    mail: { check: well },
    broker: { check: well },
    storage: { check: well },
  }
  const others = { imageCheck: { ready: well }, media: { check: well }, isDraining: () => true }
  serveHealth(server, { ...needs, ...others } as unknown as HealthNeeds)
  expect((await server.inject('/health/live')).statusCode).toBe(200)
  expect((await server.inject('/health/ready')).statusCode).toBe(503)
  expect(recorded.lines.filter(({ msg }) => msg === 'request')).toEqual([])
  expect(answered).toEqual([])
})
