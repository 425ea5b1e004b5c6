import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tellFigures } from '../faults/figures.ts'
import { freshEmail } from '../office.ts'
import { query } from '../run/test-harness.ts'
import { until } from '../until.ts'
import { type BreakableDatabase, openBreakableDatabase } from './breakable-database.ts'
import { type Guest, type OfficeProcess, openProcessHarness, signUpAt } from './office-process.ts'

/** Beside what the machine itself holds requests up: those that need no database, too. */
const ANSWER_WITHIN_MS = 2_500
/** Limits that are never met, but counted: in the database. */
const LIMITS = Object.fromEntries(
  ['CODES_PER_EMAIL', 'SIGN_IN_PER_ADDRESS', 'GUESSES_PER_ADDRESS', 'PER_USER'].map((name) => [
    `RATE_LIMIT_${name}`,
    '100000',
  ]),
)

const PROXY_SECRET = 'what the broker shows that it is the broker'

const harness = openProcessHarness()
let database: BreakableDatabase
let office: OfficeProcess
let guest: Guest
beforeAll(async () => {
  database = await openBreakableDatabase(await harness.folder())
  const settings = {
    // what is promised, and not what is patient
    DATABASE_WAIT_MS: '',
    DATABASE_URL: database.connectionString,
    LOG_LEVEL: 'error',
    BROKER_PROXY_SECRET: PROXY_SECRET,
    ...LIMITS,
  }
  office = await harness.serve({ settings })
  guest = await signUpAt(office.url)
})
afterAll(async () => {
  database?.thaw()
  await harness.clear()
})

interface Answer {
  what: string
  status: number
  ms: number
  retryAfter: string | null
  body: { code?: number; error?: string; message?: string; status?: string }
}

async function ask(path: string, body?: object, cookie = ''): Promise<Answer> {
  const begin = performance.now()
  const answer = await fetch(office.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const ms = performance.now() - begin
  const retryAfter = answer.headers.get('retry-after')
  return { what: path, status: answer.status, ms, retryAfter, body: (await answer.json()) as Answer['body'] }
}

/** As the broker asks whether a client may subscribe: what the database knows has no part in it. */
async function subscribe(): Promise<unknown> {
  const answer = await fetch(`${office.url}/internal/broker/subscribe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-broker-proxy-secret': PROXY_SECRET },
    body: JSON.stringify({ user: 'user_1', channel: 'status:org_1:user_2', meta: { org: 'org_1' } }),
  })
  return [answer.status, await answer.json()]
}

/** One request of every kind: by a known person, by a stranger with a cookie, by visitors. */
function askAll(): Promise<Answer[]> {
  const [mine, strange] = [guest.cookie(), 'atrium_session=ats_nobody']
  const email = freshEmail()
  return Promise.all([
    ask('/user/get', {}, mine),
    ask('/user/update', { displayName: 'Ada' }, mine),
    ask('/api/v1/organizations/create', { name: 'Acme' }, mine),
    ask('/api/v1/organizations/list', {}, mine),
    ask('/user/get', {}, strange),
    ask('/auth/sign-out', {}, strange),
    ask('/auth/sign-up', { email }),
    ask('/auth/sign-in', { email }),
    ask('/auth/resend-magic-auth', { email }),
    ask('/auth/finalize-magic-auth', { email, code: '000000' }),
    ask('/auth/select-organization', { pendingAuthenticationToken: 'x', organizationId: 'y' }),
    ask('/auth/dev-sign-in', {}),
  ])
}

const WELL = [200, 200, 200, 200, 401, 401, 201, 200, 200, 400, 400, 200]

function expectUnavailable(answers: Answer[], slowness: number): void {
  for (const { what, status, ms, retryAfter, body } of answers) {
    expect([what, status, body.code, body.error]).toEqual([what, 503, 503, 'database-unavailable'])
    expect(body.message).toBe('The database does not answer; try again later')
    expect(Number(retryAfter)).toBeGreaterThan(0)
    expect(ms, what).toBeLessThan(ANSWER_WITHIN_MS + 5 * slowness)
  }
}

/** Runs `work` and measures beside it how long the slowest request took that has nothing to wait for. */
async function besideIdleRequests<T>(work: () => Promise<T>): Promise<{ result: T; slowness: number }> {
  let over = false
  let slowness = 0
  const measuring = (async () => {
    while (!over) {
      const { status, ms } = await ask('/health/live')
      expect(status).toBe(200)
      slowness = Math.max(slowness, ms)
      await pause(20)
    }
  })()
  const result = await work().finally(() => {
    over = true
  })
  await measuring
  return { result, slowness }
}

/** @returns how long the slowest refusal took */
async function expectAway(): Promise<number> {
  const { result, slowness } = await besideIdleRequests(() => Promise.all([ask('/health/ready'), askAll()]))
  const [ready, answers] = result
  expectUnavailable(answers, slowness)
  const parts = { database: 'down', mail: 'ok', broker: 'ok', storage: 'ok', imageCheck: 'ok', media: 'ok' }
  const problems = [expect.stringContaining('The database of DATABASE_URL')]
  expect([ready.status, ready.body]).toEqual([503, { status: 'not-ready', parts, problems }])
  expect(await subscribe()).toEqual([200, { result: {} }])
  return Math.max(...answers.map(({ ms }) => ms))
}

async function expectBack(): Promise<void> {
  const readiness = async () => (await ask('/health/ready')).body
  const ok = { database: 'ok', mail: 'ok', broker: 'ok', storage: 'ok', imageCheck: 'ok', media: 'ok' }
  await expect.poll(readiness).toEqual({ status: 'ready', parts: ok })
  const statuses = async () => (await askAll()).map(({ status }) => status)
  await expect.poll(statuses).toEqual(WELL)
  expect(office.hasEnded()).toBe(false)
  expect(office.stdout()).not.toContain('request failed')
}

describe('while the database', () => {
  it('is there, everything works', expectBack)

  it('is stopped, every request waits for it as long as it may, and is told so; and all is well when it is back', async (context) => {
    await database.stop()
    const slowestMs = await expectAway()
    await database.start()
    const began = performance.now()
    await until(async () => (await ask('/health/ready')).status === 200)
    tellFigures(context, { slowestRefusalMs: slowestMs, recoveryMs: performance.now() - began })
    await expectBack()
  })

  it('is silent, no request waits for long, on known connections and on new ones; and all is well after', async () => {
    await database.freeze()
    await expectAway()
    await expectAway()
    database.thaw()
    await expectBack()
  })

  it('cuts all connections again and again, requests succeed or are told so', async () => {
    const seen: Answer[] = []
    let over = false
    const lane = async () => {
      while (!over) {
        seen.push(await ask('/user/get', {}, guest.cookie()))
        seen.push(await ask('/user/update', { displayName: 'Ada' }, guest.cookie()))
        seen.push(await ask('/api/v1/organizations/create', { name: 'Acme' }, guest.cookie()))
        seen.push(await ask('/auth/sign-up', { email: freshEmail() }))
      }
    }
    const lanes = Promise.all(Array.from({ length: 6 }, lane))
    let cut = 0
    const { slowness } = await besideIdleRequests(async () => {
      for (let count = 0; count < 30; count++) {
        cut += await database.cutConnections()
        await pause(100)
      }
      over = true
      await lanes
    })
    const well = seen.filter(({ status }) => status === 200 || status === 201)
    expectUnavailable(
      seen.filter((answer) => !well.includes(answer)),
      slowness,
    )
    expect(cut).toBeGreaterThan(30)
    expect(well.length).toBeGreaterThan(0)
    await expectBack()
  })

  it('has its hands full, those who get no turn are told so', async () => {
    const admin = database.connectionString
    const blocked = Promise.withResolvers<void>()
    const locker = query(
      admin,
      `begin; lock table users in access exclusive mode; select pg_sleep(6); commit`,
    )
    locker.catch(() => {}).finally(() => blocked.resolve())
    const locks = `select 1 from pg_locks where mode = 'AccessExclusiveLock' and granted and relation = 'users'::regclass`
    await expect.poll(async () => (await query(admin, locks)).length).toBe(1)
    const { result, slowness } = await besideIdleRequests(() =>
      Promise.all(Array.from({ length: 40 }, () => ask('/user/get', {}, guest.cookie()))),
    )
    expectUnavailable(result, slowness)
    await blocked.promise
    await expectBack()
  })
})
