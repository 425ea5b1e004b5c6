import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { openPool, type Pool } from './database.ts'
import { isDatabaseAway } from './database-errors.ts'
import { runPipeline } from './pipeline.ts'

let database: FreshDatabase
let pool: Pool
beforeAll(async () => {
  database = await freshDatabase()
  // one connection: what one run leaves behind, the next one meets
  pool = openPool({
    connectionString: database.connectionString,
    maxConnections: 1,
    statementTimeoutMs: 500,
    onIdleError: () => {},
  })
  await pool.query('create table marks (word text unique deferrable initially deferred)')
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const mark = (word: string) => ({ prepared: true, text: 'insert into marks values ($1)', values: [word] })
const setting = { prepared: true, text: `select current_setting('test.word', true)`, values: [] }
const set = (word: string) => ({
  prepared: true,
  text: `select set_config('test.word', $1, true)`,
  values: [word],
})
const marks = async () =>
  (await pool.query('select word from marks order by word')).rows.map((row) => row.word)

describe('a pipeline', () => {
  it('answers the rows of each statement, as text', async () => {
    const answers = await runPipeline(pool, [
      { text: 'select n, null from generate_series(1, $1::int) n', values: ['2'] },
      { text: 'select 1 where false', values: [] },
      { text: `select 'Grüße'`, values: [] },
    ])
    expect(answers).toEqual([
      [
        ['1', null],
        ['2', null],
      ],
      [],
      [['Grüße']],
    ])
  })

  it('answers text and JSON in the binary form as they are', async () => {
    const text = `select json_build_array('Grüße', null), 7::text, null::text`
    const [rows] = await runPipeline(pool, [{ binary: true, text, values: [] }])
    expect(rows).toEqual([['["Grüße", null]', '7', null]])
  })

  it('is sent again where the server ends its session in the middle', async () => {
    const patient = openPool({
      ...{ connectionString: database.connectionString, maxConnections: 1 },
      ...{ statementTimeoutMs: 60_000, onIdleError: () => {} },
    })
    const blocker = await pool.connect()
    try {
      await blocker.query('select pg_advisory_lock(7)')
      const sent = runPipeline(patient, [
        mark('again'),
        { text: 'select pg_advisory_xact_lock(7) -- waits', values: [] },
      ])
      const end = `select pg_terminate_backend(pid, 10000) from pg_stat_activity where query ~ '-- waits$' and wait_event_type = 'Lock'`
      await expect.poll(async () => (await blocker.query(end)).rowCount).toBe(1)
      await blocker.query('select pg_advisory_unlock(7)')
      await sent
    } finally {
      blocker.release()
      await patient.end()
    }
    expect(await marks()).toEqual(['again'])
    await pool.query('delete from marks')
  })

  it('is one transaction: settings hold to its end and no longer', async () => {
    const [, inside] = await runPipeline(pool, [set('here'), setting])
    expect(inside).toEqual([['here']])
    const [outside] = await runPipeline(pool, [setting])
    expect(outside).toEqual([['']])
  })

  it('undoes everything where one fails, says which, and the connection goes on', async () => {
    const failing = { prepared: true, text: 'select 1 / $1::int', values: ['0'] }
    for (const round of [1, 2]) {
      const failure = runPipeline(pool, [mark(`undone ${round}`), failing, mark('never')])
      await expect(failure).rejects.toMatchObject({ code: '22012', statement: 1 })
    }
    expect(await marks()).toEqual([])
    expect(await runPipeline(pool, [mark('a'), { ...failing, values: ['1'] }])).toEqual([[], [['1']]])
    expect(await marks()).toEqual(['a'])
  })

  it('fails where its commit does', async () => {
    await expect(runPipeline(pool, [mark('b'), mark('b')])).rejects.toMatchObject({
      code: '23505',
      statement: -1,
    })
    expect(await marks()).not.toContain('b')
  })

  it('is ended by the time limit of statements', async () => {
    const error = await runPipeline(pool, [{ text: 'select pg_sleep(20)', values: [] }]).catch(
      (thrown: unknown) => thrown,
    )
    expect(isDatabaseAway(error)).toBe(true)
    expect(await runPipeline(pool, [{ text: 'select 1', values: [] }])).toEqual([[['1']]])
  })

  it('shares a connection with ordinary statements', async () => {
    const many = Array.from({ length: 20 }, (_, n) =>
      n % 2 ? pool.query('select $1::int as n', [n]) : runPipeline(pool, [set('x'), setting]),
    )
    await expect(Promise.all(many)).resolves.toHaveLength(20)
  })
})
