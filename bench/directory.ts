import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Benchmark, Contest, Sample } from './benchmark.ts'
import { connected } from './noisy-tenants.ts'
import { type Ends, openBare, openContest, openProduction, pinSides } from './opening.ts'
import { ascending, quantile } from './statistics.ts'

const BASELINE = fileURLToPath(new URL('directory-baseline.ts', import.meta.url))
const DOMAIN = 'bench.example'
const LISTED = 100
const THERE = 1_000
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** Directories bring their people one after the other. */
export const scimCreate: Benchmark = {
  name: 'scim-create',
  describe: `POST /scim/v2/Users, one after the other in an organization of ${THERE} people (median), as production serves it, against bare node:http + pg with the three inserts`,
  unit: 'ms',
  // 1,000 people a minute
  goal: { subjectMax: 60 },
  prepare: ({ seconds }) => contest(seconds, createAt),
}

export const scimList: Benchmark = {
  name: 'scim-list',
  describe: `GET /scim/v2/Users, pages of ${LISTED} of ${THERE} people, one after the other (median), as production serves it, against bare node:http + pg with the one query`,
  unit: 'ms',
  goal: { subjectMax: 60 },
  prepare: ({ seconds }) => contest(seconds, listAt),
}

type Ask = (at: string, headers: Record<string, string>) => (n: number) => Promise<Response>

const createAt: Ask = (at, headers) => {
  const batch = randomBytes(4).toString('hex')
  return (n) =>
    fetch(`${at}/Users`, { method: 'POST', headers, body: JSON.stringify(personOf(`${batch}-${n}`)) })
}

const listAt: Ask = (at, headers) => (n) => {
  const startIndex = 1 + ((n * LISTED) % THERE)
  return fetch(`${at}/Users?startIndex=${startIndex}&count=${LISTED}`, { headers })
}

function personOf(name: string): object {
  const userName = `${name}@${DOMAIN}`
  return {
    schemas: [USER],
    userName,
    externalId: name,
    name: { givenName: 'Ada', familyName: name },
    displayName: `Ada ${name}`,
    emails: [{ value: userName, type: 'work', primary: true }],
    active: true,
  }
}

function contest(seconds: number, ask: Ask): Promise<Contest> {
  return openContest(async (ends) => {
    const { base, databaseUrl, organization, headers, pid } = await openDirectory(ends)
    const bare = await openBare(ends, BASELINE, [databaseUrl, organization])
    pinSides(ends, { pid }, bare)
    const side = (at: string) => () => timed(ask(at, headers), seconds)
    const sides = { subject: side(`${base}/scim/v2`), baseline: side(bare.base) }
    for (const warmUp of Object.values(sides)) await warmUp()
    return sides
  })
}

async function openDirectory(ends: Ends) {
  const { office, running, person, base } = await openProduction(ends, { RATE_LIMIT_PER_DIRECTORY: '0' })
  const databaseUrl = await office.databaseUrl()
  const organization = await connected(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `insert into organization_domains (organization_id, domain, state, challenge, created_at, verified_at,
         proven_by_dns)
       select id, $2, 'verified', 'bench', now(), now(), true from organizations where identity_organization_id = $1
       returning organization_id as id`,
      [person.organizationId, DOMAIN],
    )
    return String(rows[0].id)
  })
  const made = await fetch(`${base}/api/v1/organizations/directory/connections/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: person.cookie },
    body: JSON.stringify({ name: 'Bench' }),
  })
  const { token } = (await made.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
  const create = createAt(`${base}/scim/v2`, headers)
  for (let n = 0; n < THERE; n += 1) await answered(create(n))
  await connected(databaseUrl, (client) => client.query('vacuum analyze'))
  return { base, databaseUrl, organization, headers, pid: running.pid }
}

async function timed(ask: (n: number) => Promise<Response>, seconds: number): Promise<Sample> {
  const times: number[] = []
  const end = performance.now() + seconds * 1_000
  for (let began = performance.now(); began < end; began = performance.now()) {
    await answered(ask(times.length))
    times.push(performance.now() - began)
  }
  const sorted = ascending(times)
  const median = quantile(sorted, 0.5)
  return { value: median, details: { 'p99 ms': quantile(sorted, 0.99), 'in a minute': 60_000 / median } }
}

async function answered(asking: Promise<Response>): Promise<void> {
  const answer = await asking
  const text = await answer.text()
  assert(answer.ok, `${answer.url} answered ${answer.status}: ${text.slice(0, 500)}`)
}
