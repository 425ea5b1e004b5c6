import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { openTcpGate } from '../../../tests/run/tcp-gate.ts'
import { timed } from '../../../tests/run/timed.ts'
import { until } from '../../../tests/until.ts'
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

type Options = Partial<Parameters<typeof openSharedConnections>[0]>

/** Closed with the test, unless it does so itself. */
function open(options: Options = {}) {
  const shared = openSharedConnections({
    connectionString: database.connectionString,
    statementTimeoutMs: 5_000,
    onIdleError: () => {},
    // a busy machine is not to be taken for a long answer
    stalledAfterMs: 60_000,
    ...options,
  })
  let ended: Promise<void> | undefined
  const end = () => {
    ended ??= shared.end()
    return ended
  }
  cleanUps.push(end)
  const run = (...statements: PipelinedStatement[]) =>
    shared.run(statements) ?? Promise.reject(new Error('no room'))
  return { run, mayRun: (statement: PipelinedStatement) => shared.run([statement]), end }
}

type Run = (...statements: PipelinedStatement[]) => Promise<TextRows[]>

/** @returns how statements run, now that there is room for all; those for which there is none fail */
async function openReady(options: Options = {}): Promise<Run> {
  const { run } = open(options)
  await untilReady(run)
  return run
}

/** Connections are made while others ask: as often as it takes until as many as there can be answer. */
async function untilReady(run: Run) {
  await until(async () => {
    const outcomes = await Promise.allSettled(numbers(24).map(() => run(sleep(0.001))))
    return outcomes.every(({ status }) => status === 'fulfilled')
  })
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
const reasonOf = (outcome: PromiseSettledResult<unknown>) => (outcome as PromiseRejectedResult).reason

describe('shared connections', () => {
  it('give each its own answer and its own transaction, however many ask at once', async () => {
    const run = await openReady()
    const answers = await Promise.all(
      numbers(24).map((n) => (n % 3 === 0 ? run(word) : run(set(`word ${n}`), word))),
    )
    for (const [n, rows] of answers.entries()) {
      if (n % 3 === 0) expect([[[['']]], [[[null]]]]).toContainEqual(rows)
      else expect(rows).toEqual([[[`word ${n}`]], [[`word ${n}`]]])
    }
  })

  it('are few', async () => {
    const run = await openReady()
    const seen = await Promise.all(numbers(24).map(() => run(sleep(0.02), backend)))
    expect(new Set(seen.map((rows) => rows[1]?.[0]?.[0])).size).toBe(3)
  })

  it('have room for so many at once, and then again', async () => {
    const run = await openReady()
    const room = await Promise.allSettled(numbers(30).map(() => run(sleep(0.05))))
    expect(room.filter(({ status }) => status === 'fulfilled')).toHaveLength(24)
    await expect(run(divide(1))).resolves.toEqual([[['1']]])
  })

  it('carry three of one person at once, and others beside', async () => {
    const run = await openReady()
    const asOne = (person: string, times: number) =>
      numbers(times).map(() =>
        withinWaitingBudget(newWaitingBudget(60_000, { person }), () => run(sleep(0.05))),
      )
    const room = async (asked: Promise<unknown>[]) =>
      (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled').length
    const [adas, bens] = await Promise.all([room(asOne('ada', 20)), room(asOne('ben', 2))])
    expect([adas, bens]).toEqual([3, 2])
    expect(await room(asOne('ada', 20))).toBe(3)
  })

  it('let one fail alone, and say which statement it was', async () => {
    const run = await openReady()
    const outcomes = await Promise.allSettled(numbers(24).map((n) => run(set('x'), divide(n % 2), word)))
    for (const [n, outcome] of outcomes.entries()) {
      if (n % 2 === 1) expect(outcome).toMatchObject({ value: [[['x']], [['1']], [['x']]] })
      else expect(outcome).toMatchObject({ reason: { code: '22012', statement: 1 } })
    }
  })

  it('answer what somebody before has failed to prepare', async () => {
    const run = await openReady()
    // as many as there are connections begin with a failure, and what comes behind them wants the same statement
    const outcomes = await Promise.allSettled(
      numbers(24).map((n) => (n < 3 ? run(divide(0), word, set('never')) : run(set('y'), word))),
    )
    for (const [n, outcome] of outcomes.entries()) {
      if (n < 3) expect(outcome).toMatchObject({ reason: { code: '22012', statement: 0 } })
      else expect(outcome).toMatchObject({ value: [[['y']], [['y']]] })
    }
    await expect(run(set('z'), timesPrepared(set('z')))).resolves.toEqual([[['z']], [['1']]])
  })

  it('keep a statement prepared, once each', async () => {
    const run = await openReady()
    await Promise.all(numbers(24).map(() => run(word, sleep(0.01))))
    await expect(run(timesPrepared(word))).resolves.toEqual([[['1']]])
  })

  it('give nobody the answers of another who could not even be sent', async () => {
    const run = await openReady()
    // all three are busy: whoever comes now comes behind somebody
    const before = Promise.allSettled(numbers(3).map(() => run(sleep(0.02))))
    const unsendable = { text: 'select $1::text', values: [5 as unknown as string] }
    const outcomes = await Promise.allSettled(
      numbers(9).map((n) => (n < 3 ? run(set('mine'), unsendable) : run(word))),
    )
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' || outcome.value[0]?.[0]?.[0] !== 'mine').toBe(true)
    }
    expect(outcomes.slice(0, 3).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    await before
    await untilReady(run)
    await expect(run(set('after'), word)).resolves.toEqual([[['after']], [['after']]])
  })
})

describe('a shared connection with something longer to do', () => {
  it('is joined by nobody until it answers', async () => {
    const run = await openReady({ stalledAfterMs: 100 })
    let answered = false
    const long = run(sleep(4)).then(() => {
      answered = true
    })
    await pause(150)
    for (const _ of numbers(5)) await Promise.all(numbers(3).map(() => run(divide(1))))
    expect(answered).toBe(false)
    await long
    await untilReady(run)
  })

  it('sends those who come elsewhere where the others have, too', async () => {
    const run = await openReady({ stalledAfterMs: 100 })
    const long = numbers(3).map(() => run(sleep(1)))
    await pause(150)
    await expect(run(divide(1))).rejects.toThrow('no room')
    await Promise.all(long)
    await expect(run(divide(1))).resolves.toEqual([[['1']]])
  })
})

describe('shared connections that are not there', () => {
  it('keep nobody waiting while they are made, nor whoever has no time left', async () => {
    const { mayRun } = open()
    const hastily = () => withinWaitingBudget(newWaitingBudget(0), () => mayRun(divide(1)))
    expect(hastily()).toBeUndefined()
    // made for whoever comes next, although those who ask are out of time
    let answer: Promise<TextRows[]> | undefined
    await until(() => {
      answer = hastily()
      return answer !== undefined
    })
    await expect(answer).resolves.toEqual([[['1']]])
  })

  it('send everybody elsewhere while they cannot be made', async () => {
    const nowhere = new URL(database.connectionString)
    nowhere.port = '1'
    const told: Error[] = []
    const { mayRun } = open({ connectionString: nowhere.href, onIdleError: (error) => told.push(error) })
    for (const _ of numbers(5)) {
      expect(mayRun(divide(1))).toBeUndefined()
      await pause(10)
    }
    // not tried again at once, and somebody hears of it
    expect(told).toMatchObject([{ code: 'ECONNREFUSED' }])
  })

  it('do so too where they are never ready', async () => {
    const { mayRun } = open({ settings: { timezone: 'Nowhere' } })
    for (const _ of numbers(5)) {
      expect(mayRun(divide(1))).toBeUndefined()
      await pause(20)
    }
  })
})

describe('shared connections that are lost', () => {
  it('fail those who use them, and others are made', async () => {
    const run = await openReady()
    const cut = prepared('select pg_terminate_backend(pg_backend_pid())')
    const outcomes = await Promise.allSettled(numbers(24).map((n) => run(n < 3 ? cut : sleep(0.02))))
    expect(outcomes.map(({ status }) => status)).toEqual(numbers(24).map(() => 'rejected'))
    for (const outcome of outcomes) expect(isDatabaseAway(reasonOf(outcome))).toBe(true)
    await untilReady(run)
  })

  it('are given up in good time where they fall silent, and others are made', async () => {
    const gate = await openTcpGate(database.connectionString)
    cleanUps.push(() => gate.close())
    const run = await openReady({ connectionString: gate.url, statementTimeoutMs: 100 })
    gate.freeze()
    const {
      result: outcomes,
      ms,
      allowance,
    } = await timed(() => Promise.allSettled(numbers(24).map(() => run(divide(1)))))
    expect(ms).toBeLessThan(3_000 + allowance)
    for (const outcome of outcomes) expect(isDatabaseAway(reasonOf(outcome))).toBe(true)
    gate.thaw()
    await untilReady(run)
  })

  it('answer what is under way before they end', async () => {
    const { run, mayRun, end } = open()
    await untilReady(run)
    const underWay = numbers(24).map(() => run(sleep(0.01), divide(1)))
    await pause(10)
    await end()
    for (const rows of await Promise.all(underWay)) expect(rows[1]).toEqual([['1']])
    expect(mayRun(divide(1))).toBeUndefined()
  })
})
