import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type BreakableDatabase,
  KEPT_AT_CRASH,
  openBreakableDatabase,
} from '../process/breakable-database.ts'
import { type Guest, type OfficeProcess, openProcessHarness, signUpAt } from '../process/office-process.ts'
import { emptyLedger, expectAllOf, keepWriting } from '../process/write-ledger.ts'
import { query } from '../run/test-harness.ts'
import { until } from '../until.ts'
import { chance, percentiles, rounds, tellFigures } from './figures.ts'
import { type Answer, ask, besideIdleRequests, keepAsking } from './requests.ts'

/** What is promised, beside what the machine itself holds requests up. */
const ANSWER_WITHIN_MS = 2_500

const harness = openProcessHarness()
let database: BreakableDatabase
beforeEach(async () => {
  database = await openBreakableDatabase(await harness.folder(), KEPT_AT_CRASH)
})
afterEach(async () => {
  await database.stop()
  await harness.clear()
})

function serve(settings: Record<string, string> = {}): Promise<OfficeProcess> {
  // what is promised, and not what is patient
  const promised = { DATABASE_WAIT_MS: '', DATABASE_URL: database.connectionString, LOG_LEVEL: 'error' }
  return harness.serve({ settings: { ...promised, ...settings } })
}

async function gather(office: OfficeProcess, count: number): Promise<Guest[]> {
  const guests: Guest[] = []
  while (guests.length < count) guests.push(await signUpAt(office.url))
  return guests
}

const isReady = async (office: OfficeProcess) =>
  (await ask(office.url, { path: '/health/ready' })).status === 200

const rename = (office: OfficeProcess, guest: Guest, name: string) =>
  ask(office.url, { path: '/user/update', body: { displayName: name }, cookie: guest.cookie() })

describe('a database', () => {
  it('that ends all connections every two seconds costs 503 at most, and next to none who try once more', async (context) => {
    const office = await serve()
    const guests = await gather(office, 6)
    const [first, again]: [Answer[], Answer[]] = [[], []]
    let over = false
    const lanes = Promise.all(
      guests.map(async (guest) => {
        for (let turn = 0; !over; turn++) {
          const cookie = guest.cookie()
          const question = [
            { path: '/user/update', body: { displayName: `Name ${turn}` }, cookie },
            { path: '/user/get', body: {}, cookie },
            { path: '/api/v1/organizations/list', body: {}, cookie },
          ][turn % 3]
          if (!question) continue
          const answer = await ask(office.url, question)
          first.push(answer)
          if (answer.status === 200) continue
          await pause(answer.retryAfterSeconds * 1_000)
          again.push(await ask(office.url, question))
        }
      }),
    )
    let cut = 0
    for (let round = 0; round < rounds(30); round++) {
      await pause(2_000)
      cut += await database.cutConnections()
    }
    over = true
    await lanes
    const refused = first.filter(({ status }) => status !== 200)
    const failedTwice = again.filter(({ status }) => status !== 200)
    tellFigures(context, {
      cuts: cut,
      requests: first.length,
      refused: refused.length,
      failedTwice: failedTwice.length,
      ...percentiles(
        'answer',
        [...first, ...again].map(({ ms }) => ms),
      ),
    })
    for (const { status, body } of [...refused, ...failedTwice])
      expect([status, body]).toEqual([503, expect.stringContaining('database-unavailable')])
    expect(cut).toBeGreaterThan(rounds(30))
    expect(failedTwice.length).toBeLessThanOrEqual(first.length / 100)
    expect(office.hasEnded()).toBe(false)
  })

  it('that ends at once and recovers has everything that was acknowledged', async (context) => {
    const office = await serve()
    const guests = await gather(office, 6)
    const ledger = emptyLedger()
    const recoveries: number[] = []
    for (let round = 1; round <= rounds(5); round++) {
      const ended = new AbortController()
      const before = ledger.count
      const writing = Promise.all(
        guests.map((guest, lane) =>
          keepWriting(office.url, guest, {
            ledger,
            lane: `${round}-${lane}`,
            ended: ended.signal,
            goesOn: true,
          }),
        ),
      )
      await until(() => ledger.count > before + 50)
      await pause(chance() * 500)
      const began = performance.now()
      await database.crash()
      await until(() => isReady(office))
      recoveries.push(performance.now() - began)
      await until(() => ledger.count > before + 100)
      ended.abort()
      await writing
      await expectAllOf(ledger, office.url, database.connectionString)
    }
    tellFigures(context, {
      crashes: rounds(5),
      acknowledged: ledger.count,
      refused: ledger.refused,
      lost: 0,
      ...percentiles('recovery', recoveries),
    })
    expect(ledger.refused).toBeGreaterThan(0)
    expect(office.hasEnded()).toBe(false)
  })

  it('that is slow refuses whom its five connections have no time for, serves the others, and knows no deadlock', async (context) => {
    const office = await serve({ DATABASE_POOL_SIZE: '5', REQUESTS_UNDER_WAY_PER_USER: '0' })
    const guests = await gather(office, 40)
    await query(
      database.connectionString,
      `create function take_time() returns trigger language plpgsql as $$ begin
         perform pg_sleep(0.1); return new; end $$;
       create trigger take_time before update on users for each row execute function take_time();`,
    )
    const { result, slownessMs } = await besideIdleRequests(office.url, () =>
      Promise.all(
        Array.from({ length: 200 }, (_, n) =>
          rename(office, guests[n % guests.length] as Guest, `Name ${n}`),
        ),
      ),
    )
    const successes = result.filter(({ status }) => status === 200)
    // 429: who comes behind too many of their own
    const refused = result.filter(({ status }) => status === 503 || status === 429)
    tellFigures(context, {
      served: successes.length,
      refused: refused.length,
      slownessMs,
      ...percentiles(
        'served',
        successes.map(({ ms }) => ms),
      ),
      ...percentiles(
        'refused',
        refused.map(({ ms }) => ms),
      ),
    })
    expect(successes.length + refused.length).toBe(200)
    expect(successes.length).toBeGreaterThan(0)
    expect(refused.length).toBeGreaterThan(0)
    for (const { ms } of result) expect(ms).toBeLessThan(ANSWER_WITHIN_MS + 5 * slownessMs)
    for (const guest of guests.slice(0, 10))
      expect((await rename(office, guest, 'Afterwards')).status).toBe(200)
  })

  it('whose rows of one company are locked for a minute refuses that company in time, and another hardly notices', async (context) => {
    const office = await serve()
    const stuck = await gather(office, 4)
    const others = await gather(office, 5)
    for (const [guest] of [stuck, others])
      await guest?.browser.call('createOrganization', { name: 'Company' })
    const seconds = rounds(60)
    const work = (n: number) => {
      const guest = others[n % others.length] as Guest
      return n % 2
        ? rename(office, guest, `Name ${n}`)
        : ask(office.url, { path: '/user/get', body: {}, cookie: guest.cookie() })
    }
    await keepAsking(40, work, AbortSignal.timeout(3_000))
    const before = await keepAsking(40, work, AbortSignal.timeout(seconds * 500))

    const locker = new pg.Client({ connectionString: database.connectionString })
    await locker.connect()
    await locker.query('begin')
    await locker.query('select from users where email = any($1) for update', [
      stuck.map(({ email }) => email),
    ])
    const locked = AbortSignal.timeout(seconds * 1_000)
    const waiting = Promise.all(
      stuck.map(async (guest) => {
        const answers: Answer[] = []
        while (!locked.aborted) answers.push(await rename(office, guest, 'Stuck'))
        return answers
      }),
    )
    const during = await keepAsking(40, work, locked)
    const refused = (await waiting).flat()
    await locker.query('rollback')
    await locker.end()
    // on both sides of it: other load of the machine comes and goes
    const after = await keepAsking(40, work, AbortSignal.timeout(seconds * 500))
    const without = [...before, ...after]

    const p99 = (answers: readonly Answer[]) =>
      percentiles(
        '',
        answers.map(({ ms }) => ms),
      ).P99Ms ?? Number.NaN
    tellFigures(context, {
      seconds,
      refused: refused.length,
      ...percentiles(
        'refused',
        refused.map(({ ms }) => ms),
      ),
      ...percentiles(
        'without',
        without.map(({ ms }) => ms),
      ),
      ...percentiles(
        'during',
        during.map(({ ms }) => ms),
      ),
      ratioOfP99: p99(during) / p99(without),
    })
    for (const { status } of [...without, ...during]) expect(status).toBe(200)
    // the last ones were still waiting when the lock went
    expect(new Set(refused.slice(0, -stuck.length).map(({ status }) => status))).toEqual(new Set([503]))
    // a fifth, and what a shared machine adds to a few milliseconds
    expect(p99(during)).toBeLessThan(p99(without) * 1.2 + 25)
    for (const guest of stuck) expect((await rename(office, guest, 'Free')).status).toBe(200)
  })
})
