import assert from 'node:assert/strict'
import { applyBareLoad } from './bare-load.ts'
import type { Benchmark, Contest, Sample } from './benchmark.ts'
import { furnish } from './chat-history.ts'
import { connected, signInAs } from './noisy-tenants.ts'
import { type Ends, openContest, openProduction, underLoad } from './opening.ts'
import { besidePgbench } from './pgbench.ts'

const CONNECTIONS = 20
const HISTORY = { messages: 200_000, conversations: 2_000 }
const ROWS = 50
const PAGE = `50 messages with reactions, files and mentions, of ${HISTORY.messages} in ${HISTORY.conversations} conversations`

/** The page that front ends show, beside the database that does the same. */
export const chatPage: Benchmark = {
  name: 'chat-page',
  describe: `POST /api/v1/chat/messages/list (${PAGE}) with ${CONNECTIONS} connections of as many people, against pgbench calling its function on the same server with as many`,
  unit: 'requests/s',
  goal: { ratioMin: 0.3 },
  prepare: ({ seconds }) =>
    openContest(async (ends) => {
      const scene = await furnished(ends)
      const [first] = scene.clients
      if (!first) throw new Error('nobody has so many messages')
      const options = `-c role=authenticated -c request.jwt.claims=${first.claims}`
      const sql = `select list_messages(${first.conversation}, null, null, null, null, ${ROWS})::text;`
      return await besidePgbench({
        request: {
          method: 'POST',
          url: scene.page,
          clients: scene.clients.map(({ page }) => page),
          pid: scene.pid,
        },
        run: { databaseUrl: scene.databaseUrl, sql, options },
        connections: CONNECTIONS,
        seconds,
      })
    }),
}

/** The same page, by what it takes of the office's own processor, beside the page of the earlier data access. */
export const chatPageCost: Benchmark = {
  name: 'chat-page-cost',
  describe: `processor time of the office for POST /api/v1/chat/messages/list (${PAGE}), against POST /rest/v1/rpc/get_conversation_messages of the same conversations, without what is beside the messages`,
  unit: 'ms',
  goal: { ratioMax: 1.3 },
  prepare: ({ seconds }) =>
    openContest(async (ends): Promise<Omit<Contest, 'close'>> => {
      const { page, earlier, pid, clients } = await furnished(ends)
      const side = (url: string, which: 'page' | 'earlier') => async (duration: number) =>
        costOf(
          await applyBareLoad({
            ...{ method: 'POST', url, pid, connections: CONNECTIONS, seconds: duration },
            clients: clients.map((client) => client[which]),
          }),
        )
      return await underLoad(seconds, { subject: side(page, 'page'), baseline: side(earlier, 'earlier') })
    }),
}

function costOf({ value, details = {} }: Sample): Sample {
  const { 'cpu µs': microseconds, ...others } = details
  if (microseconds === undefined) throw new Error('this system does not say how busy a process is')
  return { value: microseconds / 1_000, details: { ...others, 'requests/s': value } }
}

interface Asking {
  headers: Record<string, string>
  body: string
}

/** An office with a history, and people who read a conversation of theirs. */
async function furnished(ends: Ends) {
  const { office, running, person, base } = await openProduction(ends)
  const databaseUrl = await office.databaseUrl()
  await furnish(databaseUrl, person, HISTORY)
  const { rows } = await connected(databaseUrl, (client) =>
    client.query<{ user_id: string; org_id: string; conversation: string }>(
      `select user_id, min(org_id) as org_id, min(conversation_id) as conversation from conversation_members
       where user_id <> $1 group by user_id order by user_id limit $2`,
      [person.userId, CONNECTIONS],
    ),
  )
  await adorn(
    databaseUrl,
    rows.map(({ conversation }) => conversation),
  )
  const cookies = await signInAs(
    databaseUrl,
    person,
    rows.map(({ user_id }) => user_id),
  )
  const [page, earlier] = [
    `${base}/api/v1/chat/messages/list`,
    `${base}/rest/v1/rpc/get_conversation_messages`,
  ] as const
  const json = { 'content-type': 'application/json' }
  const clients = await Promise.all(
    rows.map(async ({ user_id, org_id, conversation }, n) => {
      const own = { cookie: cookies[n] as string }
      const minted = await fetch(`${base}/api/v1/realtime/token`, { method: 'POST', headers: own })
      const { token } = (await minted.json()) as { token: string }
      return {
        conversation,
        claims: JSON.stringify({ user_id: Number(user_id), org_id: Number(org_id) }),
        page: {
          headers: { ...own, ...json },
          body: JSON.stringify({ conversationId: Number(conversation), limit: ROWS }),
        },
        earlier: {
          headers: { authorization: `Bearer ${token}`, ...json },
          body: JSON.stringify({ p_conversation_id: conversation, p_limit: ROWS }),
        },
      }
    }),
  )
  for (const client of clients) await check(page, earlier, client)
  return { databaseUrl, pid: running.pid, page, earlier, clients }
}

/** Every second message gets two reactions, every fifth a mention, every tenth a file: a lively conversation. */
async function adorn(databaseUrl: string, conversations: readonly string[]): Promise<void> {
  await connected(databaseUrl, async (client) => {
    const of = [conversations]
    await client.query(
      `insert into reactions (message_id, conversation_id, org_id, user_id, emoji, created_at)
       select m.message_id, m.conversation_id, m.org_id, cm.user_id, '👍', m.created_at
       from messages m join conversation_members cm using (conversation_id)
       where m.conversation_id = any($1::bigint[]) and m.message_id % 2 = 0 on conflict do nothing`,
      of,
    )
    await client.query(
      `insert into mentions (message_id, conversation_id, org_id, user_id)
       select message_id, conversation_id, org_id, sender_id from messages
       where conversation_id = any($1::bigint[]) and message_id % 5 = 0`,
      of,
    )
    await client.query(
      `insert into attachments (message_id, conversation_id, org_id, user_id, name, content_type, bytes, width, height,
         object_key, created_at, finished_at)
       select message_id, conversation_id, org_id, sender_id, 'plan.png', 'image/png', 4096, 640, 480,
         'attachments/' || org_id || '/' || gen_random_uuid(), created_at, created_at
       from messages where conversation_id = any($1::bigint[]) and message_id % 10 = 0`,
      of,
    )
    await client.query('vacuum analyze messages, reactions, mentions, attachments')
  })
}

async function check(
  page: string,
  earlier: string,
  client: { page: Asking; earlier: Asking },
): Promise<void> {
  const shown = await fetch(page, { method: 'POST', ...client.page })
  assert.equal(shown.status, 200)
  const { messages } = (await shown.json()) as {
    messages: { reactions: unknown[]; mentions: unknown[]; attachments: unknown[] }[]
  }
  assert.equal(messages.length, ROWS)
  for (const beside of ['reactions', 'mentions', 'attachments'] as const)
    assert(
      messages.some((message) => message[beside].length > 0),
      `no message has ${beside}`,
    )
  const before = await fetch(earlier, { method: 'POST', ...client.earlier })
  assert.equal(before.status, 200)
  assert.equal(((await before.json()) as unknown[]).length, ROWS)
}
