import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { developmentOrganization } from '../../src/features/sign-in/dev-sign-in.ts'
import { freshEmail } from '../office.ts'
import type { Guest } from './office-process.ts'

/** What an office has said is done, and what was asked of it last when it died. */
export interface Ledger {
  organizations: { guest: Guest; name: string }[]
  /** By e-mail: the name that was acknowledged last, and those tried since. */
  names: Map<string, string[]>
  signUps: { email: string; atMs: number }[]
  count: number
  /** Answered 503: not done. */
  refused: number
}

export function emptyLedger(): Ledger {
  return { organizations: [], names: new Map(), signUps: [], count: 0, refused: 0 }
}

export interface Writing {
  ledger: Ledger
  /** The names of this lane begin so. */
  lane: string
  /** From here on failures end the lane, and are none. */
  ended: AbortSignal
  /** Requests that are cut off are not acknowledged, and the next one is made: until `ended`. */
  goesOn?: boolean
}

/** As clients do: eight that ask again at once take the processor from the office that starts. */
const PAUSE_AFTER_REFUSAL_MS = 50

/** One write after the other; records each that was acknowledged. */
export async function keepWriting(url: string, guest: Guest, writing: Writing): Promise<void> {
  const { ledger, lane, ended, goesOn = false } = writing
  /** Whether it was acknowledged: on a machine that is too busy it may be answered 503. */
  const post = async (path: string, body: object, cookie = '') => {
    const sent = fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
    const answer = goesOn ? await sent.catch(() => undefined) : await sent
    if (!answer?.ok) await pause(PAUSE_AFTER_REFUSAL_MS)
    if (!answer) return false
    const isRefused = answer.status === 503 || (goesOn && answer.status === 502)
    if (!answer.ok && !isRefused) throw new Error(`${path} answered ${answer.status}`)
    if (answer.ok) ledger.count += 1
    else ledger.refused += 1
    // the word is given with the status
    await answer.arrayBuffer().catch(() => {})
    return answer.ok
  }
  for (let turn = 1; !goesOn || !ended.aborted; turn++) {
    const name = `${lane}-${turn}`
    const email = freshEmail('killed')
    ledger.names.set(guest.email, [...(ledger.names.get(guest.email) ?? []), name])
    try {
      if (await post('/user/update', { displayName: name }, guest.cookie()))
        ledger.names.set(guest.email, [name])
      if (await post('/api/v1/organizations/create', { name }, guest.cookie()))
        ledger.organizations.push({ guest, name })
      if (await post('/auth/sign-up', { email })) ledger.signUps.push({ email, atMs: Date.now() })
    } catch (error) {
      if (ended.aborted) return
      throw error
    }
  }
}

/** Everything acknowledged is there, through the API and with the old sessions; nothing is there by halves. */
export async function expectAllOf(ledger: Ledger, url: string, connectionString: string): Promise<void> {
  for (const guest of new Set(ledger.organizations.map((one) => one.guest))) {
    const ask = async (path: string) => {
      const headers = { cookie: guest.cookie() }
      const answer = await fetch(url + path, { method: 'POST', headers })
      assert.equal(answer.status, 200)
      return answer.json()
    }
    const organizations = (await ask('/api/v1/organizations/list')) as { organizationName: string }[]
    const names = new Set(organizations.map(({ organizationName }) => organizationName))
    const acknowledged = ledger.organizations.filter((one) => one.guest === guest).map(({ name }) => name)
    assert.deepEqual(
      acknowledged.filter((name) => !names.has(name)),
      [],
      'acknowledged, and lost',
    )
    assert.equal(names.size, organizations.length, 'nothing was made twice')
    const { displayName } = (await ask('/user/get')) as { displayName: string }
    assert.ok(ledger.names.get(guest.email)?.includes(displayName), `nobody asked for ${displayName}`)
  }
  await expectWhole(ledger, connectionString)
}

/** Codes are good for ten minutes; a code that is about to end signs no one in. */
const CODE_LIVES_MS = 9 * 60_000

async function expectWhole(ledger: Ledger, connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await expectWholeBy(client, ledger)
  } finally {
    // what was missing is told, and not that the database has ended under this connection
    await client.end()
  }
}

async function expectWholeBy(client: pg.Client, { signUps }: Ledger): Promise<void> {
  const count = async (query: string, values: unknown[] = []) =>
    (await client.query<{ count: number }>(`select count(*)::int as count from ${query}`, values)).rows[0]
      ?.count
  const emails = signUps.map(({ email }) => email)
  assert.equal(await count('users where email = any($1)', [emails]), emails.length)
  // each has a code that is still good, for as long as codes are
  const recent = signUps.filter(({ atMs }) => atMs > Date.now() - CODE_LIVES_MS).map(({ email }) => email)
  const live = 'email_codes where ended_at is null and expires_at > now() and email = any($1)'
  assert.equal(await count(live, [recent]), recent.length)
  // but for the one of the sandbox, which waits for its developer
  const lonely = `organizations o where o.name <> '${developmentOrganization.name}'
    and not exists (select from memberships m where m.organization_id = o.id)`
  assert.equal(await count(lonely), 0)
}
