import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { openTcpGate } from '../../../tests/tcp-gate.ts'
import type { DatabaseOptions } from './database.ts'
import { isDatabaseAway } from './database-errors.ts'
import type { PipelinedStatement, TextRows } from './pipeline.ts'
import { openSharedConnections } from './shared-connections.ts'
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

/** @returns how statements run on connections of its own; those for which there is no room fail */
function open(options: Partial<DatabaseOptions> = {}) {
  const shared = openSharedConnections({
    connectionString: database.connectionString,
    statementTimeoutMs: 5_000,
    onIdleError: () => {},
    ...options,
  })
  cleanUps.push(() => shared.end())
  return (...statements: PipelinedStatement[]): Promise<TextRows[]> =>
    shared.run(statements) ?? Promise.reject(new Error('no room'))
}

const prepared = (text: string, ...values: string[]): PipelinedStatement => ({ prepared: true, text, values })
const set = (word: string) => prepared(`select set_config('test.word', $1, true)`, word)
const word = prepared(`select current_setting('test.word', true)`)
const divide = (by: number) => prepared('select 1 / $1::int', String(by))
const backend = prepared('select pg_backend_pid()')
const sleep = (seconds: number) => prepared('select pg_sleep($1::float8)', String(seconds))
/** On the connection that is asked. */
const timesPrepared = ({ text }: PipelinedStatement): PipelinedStatement => ({
  text: 'select count(*) from pg_prepared_statements where statement = $1::text',
  values: [text],
})
const numbers = (to: number) => Array.from({ length: to }, (_, n) => n)

describe('shared connections', () => {
  it('give each its own answer and its own transaction, however many ask at once', async () => {
    const run = open()
    const answers = await Promise.all(
      numbers(24).map((n) => (n % 3 === 0 ? run(word) : run(set(`word ${n}`), word))),
    )
    for (const [n, rows] of answers.entries()) {
      if (n % 3 === 0) expect([[[['']]], [[[null]]]]).toContainEqual(rows)
      else expect(rows).toEqual([[[`word ${n}`]], [[`word ${n}`]]])
    }
  })

  it('are few', async () => {
    const run = open()
    const seen = await Promise.all(numbers(24).map(() => run(sleep(0.02), backend)))
    expect(new Set(seen.map((rows) => rows[1]?.[0]?.[0])).size).toBe(3)
  })

  it('have room for so many at once, and then again', async () => {
    const run = open()
    const room = await Promise.allSettled(numbers(30).map(() => run(sleep(0.05))))
    expect(room.filter(({ status }) => status === 'fulfilled')).toHaveLength(24)
    await expect(run(divide(1))).resolves.toEqual([[['1']]])
  })

  it('let one fail alone, and say which statement it was', async () => {
    const run = open()
    const outcomes = await Promise.allSettled(numbers(24).map((n) => run(set('x'), divide(n % 2), word)))
    for (const [n, outcome] of outcomes.entries()) {
      if (n % 2 === 1)
        expect(outcome).toMatchObject({ status: 'fulfilled', value: [[['x']], [['1']], [['x']]] })
      else expect(outcome).toMatchObject({ reason: { code: '22012', statement: 1 } })
    }
  })

  it('answer what somebody before has failed to prepare', async () => {
    const run = open()
    // as many as there are connections begin with a failure, and what comes behind them wants the same statement
    const outcomes = await Promise.allSettled(
      numbers(24).map((n) => (n < 3 ? run(divide(0), word, set('never')) : run(set('y'), word))),
    )
    for (const [n, outcome] of outcomes.entries()) {
      if (n < 3) expect(outcome).toMatchObject({ reason: { code: '22012', statement: 0 } })
      else expect(outcome).toMatchObject({ status: 'fulfilled', value: [[['y']], [['y']]] })
    }
    await expect(run(set('z'), timesPrepared(set('z')))).resolves.toEqual([[['z']], [['1']]])
  })

  it('keep a statement prepared, once each', async () => {
    const run = open()
    await Promise.all(numbers(24).map(() => run(word, sleep(0.01))))
    await expect(run(timesPrepared(word))).resolves.toEqual([[['1']]])
  })

  it('that are cut fail those who use them, and nobody after', async () => {
    const run = open()
    const cut = prepared('select pg_terminate_backend(pg_backend_pid())')
    const outcomes = await Promise.allSettled(numbers(24).map((n) => run(n < 3 ? cut : sleep(0.02))))
    expect(outcomes.length).toBe(24)
    for (const outcome of outcomes) {
      expect(outcome.status).toBe('rejected')
      expect(isDatabaseAway((outcome as PromiseRejectedResult).reason)).toBe(true)
    }
    await expect(Promise.all(numbers(24).map(() => run(divide(1))))).resolves.toHaveLength(24)
  })

  it('that fall silent are given up in good time, and others are made', async () => {
    const target = new URL(database.connectionString)
    const gate = await openTcpGate({ host: target.hostname, port: Number(target.port) })
    cleanUps.push(() => gate.close())
    const behind = new URL(target)
    behind.port = String(gate.port)
    const run = open({ connectionString: behind.href, statementTimeoutMs: 100 })
    await Promise.all(numbers(6).map(() => run(divide(1))))
    gate.freeze()
    const begin = performance.now()
    const outcomes = await Promise.allSettled(numbers(24).map(() => run(divide(1))))
    expect(performance.now() - begin).toBeLessThan(3_000)
    for (const outcome of outcomes) {
      expect(isDatabaseAway((outcome as PromiseRejectedResult).reason)).toBe(true)
    }
    gate.thaw()
    await expect(Promise.all(numbers(24).map(() => run(divide(1))))).resolves.toHaveLength(24)
  })

  it('are made for all who wait for them, not for whoever came first', async () => {
    const run = open()
    const hasty = withinWaitingBudget(newWaitingBudget(0), () => run(divide(1)))
    await expect(hasty).resolves.toEqual([[['1']]])
  })

  it('that cannot be made fail those who wait, and are tried again', async () => {
    const nowhere = new URL(database.connectionString)
    nowhere.port = '1'
    const run = open({ connectionString: nowhere.href })
    for (const _round of [1, 2]) {
      const outcomes = await Promise.allSettled(numbers(24).map(() => run(divide(1))))
      for (const outcome of outcomes) {
        expect(isDatabaseAway((outcome as PromiseRejectedResult).reason)).toBe(true)
      }
    }
  })
})
