import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, it } from 'vitest'
import { developmentOrganization } from '../../src/features/sign-in/dev-sign-in.ts'
import { freshEmail } from '../office.ts'
import {
  databaseOf,
  type Guest,
  type OfficeProcess,
  openProcessHarness,
  postgresOf,
  signUpAt,
} from './office-process.ts'

const harness = openProcessHarness()
afterEach(() => harness.clear())

const ROUNDS = 5
const WRITERS = 8
const WRITES_BEFORE_KILL = [120, 200] as const

/** What the office has said is done, and what was asked of it last when it died. */
interface Ledger {
  organizations: { guest: Guest; name: string }[]
  /** By e-mail: the name that was acknowledged last, and those tried since. */
  names: Map<string, string[]>
  signUps: string[]
  count: number
}

it(`loses nothing that it has acknowledged, killed ${ROUNDS} times at its work`, async () => {
  const folder = await harness.folder()
  const settings = { DATA_DIR: folder }
  let office = await harness.serve({ settings })
  const guests = await Promise.all(Array.from({ length: WRITERS }, () => signUpAt(office.url)))
  const ledger: Ledger = { organizations: [], names: new Map(), signUps: [], count: 0 }

  for (let round = 1; round <= ROUNDS; round++) {
    const before = ledger.count
    const killed = new AbortController()
    const writing = Promise.all(
      guests.map((guest, index) =>
        keepWriting(office.url, guest, `${round}-${index}`, ledger, killed.signal),
      ),
    )
    let failed = false
    writing.catch(() => {
      failed = true
    })
    const enough = randomInt(...WRITES_BEFORE_KILL)
    while (ledger.count - before < enough && !failed) await pause(1)
    // every other time PostgreSQL is struck by the same blow
    const postgres = round % 2 === 0 ? await postgresOf(folder) : undefined
    office.kill('SIGKILL')
    if (postgres) process.kill(postgres.pid, 'SIGKILL')
    killed.abort()
    await office.ended
    await writing

    office = await harness.serve({ settings })
    await expectAllOf(ledger, office, folder)
  }
  expect(ledger.count).toBeGreaterThan(ROUNDS * WRITES_BEFORE_KILL[0])
  expect(await office.stop()).toEqual({ code: 0, signal: null })
})

/** One write after the other; records each that was acknowledged. Ends when the office dies. */
async function keepWriting(url: string, guest: Guest, lane: string, ledger: Ledger, killed: AbortSignal) {
  /** Whether it was acknowledged: on a machine that is too busy it may be answered 503. */
  const post = async (path: string, body: object, cookie = '') => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
    if (!answer.ok && answer.status !== 503) throw new Error(`${path} answered ${answer.status}`)
    if (answer.ok) ledger.count += 1
    // the word is given with the status
    await answer.arrayBuffer().catch(() => {})
    return answer.ok
  }
  for (let turn = 1; ; turn++) {
    const name = `${lane}-${turn}`
    const email = freshEmail('killed')
    ledger.names.set(guest.email, [...(ledger.names.get(guest.email) ?? []), name])
    try {
      if (await post('/user/update', { displayName: name }, guest.cookie()))
        ledger.names.set(guest.email, [name])
      if (await post('/api/v1/organizations/create', { name }, guest.cookie()))
        ledger.organizations.push({ guest, name })
      if (await post('/auth/sign-up', { email })) ledger.signUps.push(email)
    } catch (error) {
      if (killed.aborted) return
      throw error
    }
  }
}

/** Everything acknowledged is there, through the API and with the old sessions; nothing is there by halves. */
async function expectAllOf(ledger: Ledger, office: OfficeProcess, folder: string): Promise<void> {
  for (const guest of new Set(ledger.organizations.map((one) => one.guest))) {
    const ask = async (path: string) => {
      const headers = { cookie: guest.cookie() }
      const answer = await fetch(office.url + path, { method: 'POST', headers })
      expect(answer.status).toBe(200)
      return answer.json()
    }
    const organizations = (await ask('/api/v1/organizations/list')) as { organizationName: string }[]
    const names = organizations.map(({ organizationName }) => organizationName)
    const acknowledged = ledger.organizations.filter((one) => one.guest === guest).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(acknowledged))
    expect(new Set(names).size).toBe(names.length)
    const { displayName } = (await ask('/user/get')) as { displayName: string }
    expect(ledger.names.get(guest.email)).toContain(displayName)
  }
  await expectWhole(ledger, await databaseOf(folder))
}

async function expectWhole(ledger: Ledger, connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const count = async (query: string, values: unknown[] = []) =>
    (await client.query<{ count: number }>(`select count(*)::int as count from ${query}`, values)).rows[0]
      ?.count
  const signUps = [ledger.signUps]
  expect(await count('users where email = any($1)', signUps)).toBe(ledger.signUps.length)
  // each of them has a code that is still good
  const live = 'email_codes where ended_at is null and expires_at > now() and email = any($1)'
  expect(await count(live, signUps)).toBe(ledger.signUps.length)
  // but for the one of the sandbox, which waits for its developer
  const lonely = `organizations o where o.name <> '${developmentOrganization.name}'
    and not exists (select from memberships m where m.organization_id = o.id)`
  expect(await count(lonely)).toBe(0)
  await client.end()
}
