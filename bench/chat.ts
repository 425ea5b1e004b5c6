import assert from 'node:assert/strict'
import type { Benchmark, Contest } from './benchmark.ts'
import { furnish } from './chat-history.ts'
import type { FirstPerson } from './first-person.ts'
import { connected, signInAs } from './noisy-tenants.ts'
import { openContest, openProduction } from './opening.ts'
import { besidePgbench } from './pgbench.ts'

const CONNECTIONS = 20

interface Called {
  name: string
  args: (conversation: string) => Record<string, string | number>
  rows: number
}

/** The same function, called over HTTP with a token, and by pgbench itself with the same role and claims. */
function chatBenchmark(name: string, called: Called): Benchmark {
  return {
    name,
    describe: `POST /rest/v1/rpc/${called.name} (${called.rows} rows; 1,000,000 messages in 10,000 conversations) with ${CONNECTIONS} connections of as many people, against pgbench calling the function on the same server with as many`,
    unit: 'requests/s',
    goal: { ratioMin: 0.35 },
    prepare: ({ seconds }) => prepare(called, seconds),
  }
}

export const chatMessages = chatBenchmark('chat-messages', {
  name: 'get_conversation_messages',
  args: (conversation) => ({ p_conversation_id: conversation, p_limit: 50 }),
  rows: 50,
})

export const chatRecentDms = chatBenchmark('chat-recent-dms', {
  name: 'get_recent_dms',
  args: () => ({ p_limit: 20 }),
  rows: 20,
})

function prepare(called: Called, seconds: number): Promise<Contest> {
  return openContest(async (ends) => {
    const { office, running, person, base } = await openProduction(ends)
    const databaseUrl = await office.databaseUrl()
    const conversation = await furnish(databaseUrl, person)
    const url = `${base}/rest/v1/rpc/${called.name}`
    const { claims, ...own } = await clientOf(base, person.cookie, called, conversation)
    await check(url, own, called)
    // each connection is another person: one person has a share of their own, and no more
    const clients = await colleaguesOf(databaseUrl, base, person, called)
    for (const client of clients) await check(url, client, called)
    // the role and the claims of the token: the least that the database has to do for a request
    const options = `-c role=authenticated -c request.jwt.claims=${claims}`
    const sql = statementOf(called, conversation)
    return await besidePgbench({
      request: { method: 'POST', url, clients, pid: running.pid },
      run: { databaseUrl, sql, options },
      connections: CONNECTIONS,
      seconds,
    })
  })
}

interface Client {
  headers: Record<string, string>
  body: string
}

async function clientOf(
  base: string,
  cookie: string,
  called: Called,
  conversation: string,
): Promise<Client & { claims: string }> {
  const minted = await fetch(`${base}/api/v1/realtime/token`, { method: 'POST', headers: { cookie } })
  const { token } = (await minted.json()) as { token: string }
  const { user_id, org_id } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(called.args(conversation)),
    claims: JSON.stringify({ user_id, org_id }),
  }
}

/** As many colleagues as there are connections, each with conversations of their own. */
async function colleaguesOf(
  databaseUrl: string,
  base: string,
  person: FirstPerson,
  called: Called,
): Promise<Client[]> {
  const found = await connected(databaseUrl, (client) =>
    client.query<{ user_id: string; conversation_id: string }>(
      `select user_id, min(conversation_id) as conversation_id from conversation_members
       where user_id <> $1 group by user_id having count(*) >= 20 order by user_id limit $2`,
      [person.userId, CONNECTIONS],
    ),
  )
  const cookies = await signInAs(
    databaseUrl,
    person,
    found.rows.map(({ user_id }) => user_id),
  )
  return await Promise.all(
    found.rows.map(async ({ conversation_id }, n) => {
      const { headers, body } = await clientOf(base, cookies[n] as string, called, conversation_id)
      return { headers, body }
    }),
  )
}

async function check(url: string, { headers, body }: Client, { rows }: Called): Promise<void> {
  const answer = await fetch(url, { method: 'POST', headers, body })
  assert.equal(answer.status, 200)
  assert.equal(((await answer.json()) as unknown[]).length, rows)
}

function statementOf({ name, args }: Called, conversation: string): string {
  const named = Object.entries(args(conversation)).map(([parameter, value]) => `${parameter} => ${value}`)
  return `select * from ${name}(${named.join(', ')});`
}
