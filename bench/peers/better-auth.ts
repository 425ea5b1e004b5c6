import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from '../benchmark.ts'
import { populate } from '../colleagues.ts'
import { connected } from '../noisy-tenants.ts'
import { type Ends, openBare, openContest, openProduction, type Production } from '../opening.ts'
import type { ServerProcess } from '../server-process.ts'
import { besidePeer, type PeerSide } from './beside-peer.ts'
import { peerPackages, peerVersion } from './packages.ts'

const SERVER = fileURLToPath(new URL('better-auth-server.ts', import.meta.url))
const PEER = `Better Auth ${peerVersion('better-auth')}`
const DATABASE = 'better_auth'
const CONNECTIONS = 20
const MEMBERS = 100
const PAGE = 20
const JSON_TYPE = { 'content-type': 'application/json' }
/** One person sends all invitations. */
const NO_LIMITS = ['USER', 'ORGANIZATION', 'ADDRESS', 'EMAIL'].map((of) => `RATE_LIMIT_INVITATIONS_PER_${of}`)

interface Both {
  production: Production
  peer: ServerProcess & { base: string }
  /** Of the peer's administrator, in their organization. */
  peerHeaders: Record<string, string>
  peerOrganization: string
  databaseUrl: string
  peerDatabaseUrl: string
}
type Sides = Record<'ours' | 'theirs', PeerSide>

export const peerBetterAuthSession = against({
  name: 'peer-better-auth-session',
  describe: `POST /user/get with a session, as production serves it (the caller is known from memory, the profile with organizations, roles and permissions is read from the database, simultaneous readings of it together), against GET /api/auth/get-session of ${PEER} as it comes (session and user read from the database, no cookie cache; no organizations)`,
  goal: { ratioMin: 5.5 },
  sides: ({ production, peer, peerHeaders }) => ({
    ours: {
      server: production.running,
      request: {
        url: `${production.base}/user/get`,
        method: 'POST',
        headers: { cookie: production.person.cookie },
      },
      check: (answer) => assert((answer as { email?: string }).email),
    },
    theirs: {
      server: peer,
      request: { url: `${peer.base}/api/auth/get-session`, method: 'GET', headers: peerHeaders },
      check: (answer) => assert((answer as { user?: { email?: string } } | null)?.user?.email),
    },
  }),
})

export const peerBetterAuthMembers = against({
  name: 'peer-better-auth-members',
  describe: `POST /members/list (${PAGE} of ${MEMBERS} by name, with presence, and their number), as production serves it, against organization/list-members of ${PEER} (as many in no order, and their number; no presence, no cookie cache)`,
  goal: { ratioMin: 5 },
  sides: async ({ production, peer, peerHeaders, peerOrganization, databaseUrl, peerDatabaseUrl }) => {
    await populate(databaseUrl, production.person.organizationId, MEMBERS - 1)
    await populatePeer(peerDatabaseUrl, peerOrganization, MEMBERS - 1)
    await Promise.all([databaseUrl, peerDatabaseUrl].map(analyze))
    return {
      ours: {
        server: production.running,
        request: {
          url: `${production.base}/members/list`,
          method: 'POST',
          headers: { ...JSON_TYPE, cookie: production.person.cookie },
          body: JSON.stringify({ limit: PAGE }),
        },
        check(answer) {
          const { data, page } = answer as { data: unknown[]; page: { total: number } }
          assert.deepEqual([data.length, page.total], [PAGE, MEMBERS])
        },
      },
      theirs: {
        server: peer,
        request: {
          url: `${peer.base}/api/auth/organization/list-members?limit=${PAGE}`,
          method: 'GET',
          headers: peerHeaders,
        },
        check(answer) {
          const { members, total } = answer as { members: unknown[]; total: number }
          assert.deepEqual([members.length, total], [PAGE, MEMBERS])
        },
      },
    }
  },
})

export const peerBetterAuthInvitation = against({
  name: 'peer-better-auth-invitation',
  describe: `POST /api/v1/organizations/send-invitation, each to another address, as production serves it (invitation, sealed mail in the queue and audit entry in one transaction; the queue finds no mail server), against organization/invite-member of ${PEER} (the invitation, after up to 100 waiting ones are read to be counted; no mail is set up, no audit trail)`,
  goal: { ratioMin: 1 },
  settings: Object.fromEntries(NO_LIMITS.map((name) => [name, '0'])),
  sides: ({ production, peer, peerHeaders }) => ({
    ours: {
      server: production.running,
      request: {
        url: `${production.base}/api/v1/organizations/send-invitation`,
        method: 'POST',
        next: invitations({ ...JSON_TYPE, cookie: production.person.cookie }),
      },
      check: (answer) => assert.equal((answer as { code: number }).code, 200),
    },
    theirs: {
      server: peer,
      request: {
        url: `${peer.base}/api/auth/organization/invite-member`,
        method: 'POST',
        next: invitations({ ...JSON_TYPE, ...peerHeaders }),
      },
      check: (answer) => assert.equal((answer as { status: string }).status, 'pending'),
    },
  }),
})

interface Against extends Pick<Benchmark, 'name' | 'describe' | 'goal'> {
  settings?: Record<string, string>
  sides(both: Both): Sides | Promise<Sides>
}

function against({ settings, sides, ...rest }: Against): Benchmark {
  return {
    ...rest,
    unit: 'requests/s',
    prepare: ({ seconds }) =>
      openContest(async (ends) => {
        const both = await openBoth(ends, settings)
        return await besidePeer(ends, { ...(await sides(both)), connections: CONNECTIONS, seconds })
      }),
  }
}

/** Our office, and the peer in a database of its own on the same server. */
async function openBoth(ends: Ends, settings: Record<string, string> = {}): Promise<Both> {
  const packages = await peerPackages()
  const production = await openProduction(ends, settings)
  const databaseUrl = await production.office.databaseUrl()
  await connected(databaseUrl, (client) => client.query(`create database ${DATABASE}`))
  const own = new URL(databaseUrl)
  own.pathname = `/${DATABASE}`
  const secret = randomBytes(32).toString('base64')
  const peer = await openBare(ends, SERVER, [packages, own.href, secret])
  return { production, peer, databaseUrl, peerDatabaseUrl: own.href, ...(await signUpAt(peer.base)) }
}

async function signUpAt(base: string): Promise<Pick<Both, 'peerHeaders' | 'peerOrganization'>> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const sent = { ...JSON_TYPE, origin: base, ...headers }
    const request = { method: 'POST', headers: sent, body: JSON.stringify(body) }
    const answer = await fetch(`${base}/api/auth/${path}`, request)
    assert.equal(answer.status, 200, `${path} answered ${answer.status}`)
    return answer
  }
  const person = { email: 'bench@example.com', password: randomBytes(16).toString('hex'), name: 'Bench' }
  const cookies = (await post('sign-up/email', person)).headers.getSetCookie()
  const cookie = cookies.map((text) => text.split(';')[0]).join('; ')
  const created = await post('organization/create', { name: 'Bench & Sons', slug: 'bench' }, { cookie })
  const { id } = (await created.json()) as { id: string }
  return { peerHeaders: { cookie, origin: base }, peerOrganization: id }
}

async function populatePeer(databaseUrl: string, organization: string, people: number): Promise<void> {
  await connected(databaseUrl, (client) =>
    client.query(
      `with people as (
         insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
         select md5('user' || n), 'Colleague ' || n, 'colleague-' || n || '@example.com', true, now(), now()
         from generate_series(1, $2::int) n returning id)
       insert into member (id, "organizationId", "userId", role, "createdAt")
       select md5(id), $1, id, 'member', now() from people`,
      [organization, people],
    ),
  )
}

async function analyze(databaseUrl: string): Promise<void> {
  await connected(databaseUrl, (client) => client.query('vacuum analyze'))
}

function invitations(headers: Record<string, string>) {
  let n = 0
  return () => {
    n += 1
    return { headers, body: JSON.stringify({ email: `invited-${n}@example.com`, role: 'member' }) }
  }
}
