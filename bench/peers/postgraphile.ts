import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from '../benchmark.ts'
import { populate } from '../colleagues.ts'
import { connected } from '../noisy-tenants.ts'
import { openBare, openContest, openProduction } from '../opening.ts'
import { besidePeer } from './beside-peer.ts'
import { peerPackages, peerVersion } from './packages.ts'

const SERVER = fileURLToPath(new URL('postgraphile-server.ts', import.meta.url))
const MEMBERS = 1_000
const PAGE = 20
const JSON_TYPE = { 'content-type': 'application/json' }

const QUERY = `query Members($organization: BigInt!) {
  allMemberships(condition: { organizationId: $organization }, first: ${PAGE}) {
    totalCount
    nodes { role userByUserId { rowId displayName email } }
  }
}`

interface Answer {
  data: { allMemberships: { totalCount: number; nodes: { userByUserId: { email: string } }[] } }
}

export const peerPostgraphile: Benchmark = {
  name: 'peer-postgraphile',
  describe: `POST /members/list (${PAGE} of ${MEMBERS} by name, with presence, and their number), as production serves it with a session, against PostGraphile ${peerVersion('postgraphile')} over the same tables (a GraphQL query for ${PAGE} memberships by key with role and id, name and address of their users, and their number; no session, no permissions, no presence, no order by name)`,
  unit: 'requests/s',
  goal: { ratioMin: 0.9 },
  prepare: ({ seconds }) =>
    openContest(async (ends) => {
      const { office, running, person, base } = await openProduction(ends)
      const databaseUrl = await office.databaseUrl()
      await populate(databaseUrl, person.organizationId, MEMBERS - 1)
      const organization = await organizationIn(databaseUrl, person.organizationId)
      const peer = await openBare(ends, SERVER, [await peerPackages(), databaseUrl])
      const ours = {
        url: `${base}/members/list`,
        method: 'POST',
        headers: { ...JSON_TYPE, cookie: person.cookie },
        body: JSON.stringify({ limit: PAGE }),
      } as const
      const theirs = {
        url: `${peer.base}/graphql`,
        method: 'POST',
        headers: { ...JSON_TYPE, accept: 'application/json' },
        body: JSON.stringify({ query: QUERY, variables: { organization } }),
      } as const
      return await besidePeer(ends, {
        ours: { server: running, request: ours, check: checkOurs },
        theirs: { server: peer, request: theirs, check: checkTheirs },
        ...{ connections: 20, seconds },
      })
    }),
}

/** Its internal id, with the statistics of the database up to date. */
async function organizationIn(databaseUrl: string, identityId: string): Promise<string> {
  return await connected(databaseUrl, async (client) => {
    await client.query('vacuum analyze')
    const { rows } = await client.query<{ id: string }>(
      'select id from organizations where identity_organization_id = $1',
      [identityId],
    )
    assert(rows[0])
    return rows[0].id
  })
}

function checkOurs(answer: unknown): void {
  const { data, page } = answer as { data: unknown[]; page: { total: number } }
  assert.deepEqual([data.length, page.total], [PAGE, MEMBERS])
}

function checkTheirs(answer: unknown): void {
  const { totalCount, nodes } = (answer as Answer).data.allMemberships
  assert.deepEqual([nodes.length, totalCount], [PAGE, MEMBERS])
  for (const { userByUserId } of nodes) assert(userByUserId.email)
}
