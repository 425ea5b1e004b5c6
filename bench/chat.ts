import assert from 'node:assert/strict'
import type { Benchmark, Contest } from './benchmark.ts'
import { furnish } from './chat-history.ts'
import type { FirstPerson } from './first-person.ts'
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
    describe: `POST /rest/v1/rpc/${called.name} (${called.rows} rows; 1,000,000 messages in 10,000 conversations) with ${CONNECTIONS} connections, against pgbench calling the function on the same server with as many`,
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
    const { url, request, claims } = await requestOf(base, person, called, conversation)
    // the role and the claims of the token: the least that the database has to do for a request
    const options = `-c role=authenticated -c request.jwt.claims=${claims}`
    const sql = statementOf(called, conversation)
    return await besidePgbench({
      request: { ...request, url, pid: running.pid },
      run: { databaseUrl, sql, options },
      connections: CONNECTIONS,
      seconds,
    })
  })
}

async function requestOf(base: string, person: FirstPerson, called: Called, conversation: string) {
  const minted = await fetch(`${base}/api/v1/realtime/token`, {
    method: 'POST',
    headers: { cookie: person.cookie },
  })
  const { token } = (await minted.json()) as { token: string }
  const { user_id, org_id } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const request = {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(called.args(conversation)),
  } as const
  const url = `${base}/rest/v1/rpc/${called.name}`
  const answer = await fetch(url, request)
  assert.equal(answer.status, 200)
  assert.equal(((await answer.json()) as unknown[]).length, called.rows)
  return { url, request, claims: JSON.stringify({ user_id, org_id }) }
}

function statementOf({ name, args }: Called, conversation: string): string {
  const named = Object.entries(args(conversation)).map(([parameter, value]) => `${parameter} => ${value}`)
  return `select * from ${name}(${named.join(', ')});`
}
