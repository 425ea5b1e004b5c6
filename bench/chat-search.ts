import assert from 'node:assert/strict'
import type { Benchmark, Sample } from './benchmark.ts'
import { furnish } from './chat-history.ts'
import type { FirstPerson } from './first-person.ts'
import { applyLoad } from './load.ts'
import { connected, signInAs } from './noisy-tenants.ts'
import { openContest, openProduction, underLoad } from './opening.ts'
import { pgbench } from './pgbench.ts'

const HISTORY = { messages: 1_000_000, conversations: 10_000 }
/** Every second message stands in one of them, in which all people are. */
const GROUPS = 20
const WORDS = 20_000
const TEXTS = 50_000
const QUERIES = 60

/** Words as often as in a language, the word of rank `n` once for `n` times of the first, in texts that come back. */
const VOCABULARY = `
  create table bench_words as
    select n, (select string_agg(substr('bcdfghklmnprstvwz', 1 + abs(hashint4(n * 7 + i) % 17), 1)
        || substr('aeiou', 1 + abs(hashint4(n * 13 + i) % 5), 1), '')
      from generate_series(1, 2 + abs(hashint4(n) % 3)) i) || (array['ung', 's', 'er', ''])[1 + n % 4] as word
    from generate_series(1, ${WORDS}) n;
  create table bench_texts as
    select t as n, string_agg(w.word, ' ') as text
    from generate_series(0, ${TEXTS - 1}) t cross join generate_series(1, 4 + abs(hashint4(t) % 16)) i
      join bench_words w on w.n = floor(exp(abs(hashint4(t * 20 + i) / 2147483648.0) * ln(${WORDS})))::integer
    group by t;
  create unique index on bench_texts (n);
  analyze bench_texts`
const GROUPING = `
  alter table messages disable trigger user;
  with opened as (
    insert into conversations (org_id, type, title, created_at, updated_at)
      select min(org_id), 'GROUP', 'Group ' || n, now(), now() from conversations, generate_series(1, ${GROUPS}) n group by n
      returning conversation_id, org_id),
  joined as (
    insert into conversation_members (conversation_id, user_id, org_id, joined_at)
      select o.conversation_id, m.user_id, o.org_id, now() from opened o join memberships m on m.organization_id = o.org_id),
  placed as (select conversation_id, row_number() over (order by conversation_id) - 1 as place from opened)
  update messages m set conversation_id = p.conversation_id
    from placed p where m.message_id % 2 = 0 and p.place = m.message_id / 2 % ${GROUPS};
  alter table messages enable trigger user`
/** Of all messages at one go: row by row it takes half an hour. */
const WORDS_OF_ALL = `
  insert into message_words (message_id, conversation_id, org_id, content, words)
    select message_id, conversation_id, org_id, content, words_of(content, conversation_id, org_id) from messages`
/** From words that every fiftieth message has to words that hardly one has; of each third the middle of the word. */
const QUERYING = `
  create table bench_queries as
    select k as n, case when k % 3 = 0 and length(w.word) > 5 then substr(w.word, 2, 4) else w.word end as query
    from generate_series(1, ${QUERIES}) k
      join bench_words w on w.n = floor(50 * exp(k / ${QUERIES}.0 * ln(${WORDS} / 50.0)))::integer;
  grant select on bench_queries to authenticated`

const SEARCH = `\\set n random(1, ${QUERIES})
select search_messages((select query from bench_queries where n = :n), null, null, null, null, 21, null, null, false)::text;`

/** What is looked for in a million messages, beside the database that does the same. */
export const chatSearch: Benchmark = {
  name: 'chat-search',
  describe: `POST /api/v1/chat/search, one after the other, by ${QUERIES} frequent and rare words and parts of words in ${HISTORY.messages} messages of one organization (median), against pgbench calling its function on the same server (mean)`,
  unit: 'ms',
  goal: { subjectMax: 20 },
  usual: { rounds: 3, seconds: 10 },
  prepare: ({ seconds }) =>
    openContest(async (ends) => {
      const { office, running, person, base } = await openProduction(ends)
      const databaseUrl = await office.databaseUrl()
      const { queries, asker } = await fill(databaseUrl, person)
      const [cookie = ''] = await signInAs(databaseUrl, person, [asker.user_id])
      const url = `${base}/api/v1/chat/search`
      const headers = { cookie, 'content-type': 'application/json' }
      const requests = queries.map((query) => ({ headers, body: JSON.stringify({ query }) }))
      await checkFound(url, requests)
      let turn = 0
      const next = () => requests[turn++ % requests.length] as (typeof requests)[number]
      const load = { url, method: 'POST', next, pid: running.pid, connections: 1 } as const
      const claims = JSON.stringify({ user_id: Number(asker.user_id), org_id: Number(asker.org_id) })
      const run = {
        databaseUrl,
        sql: SEARCH,
        options: `-c role=authenticated -c request.jwt.claims=${claims}`,
      }
      return await underLoad(seconds, {
        subject: async (duration) => timed(await applyLoad({ ...load, seconds: duration }), 'p50 ms'),
        baseline: async (duration) =>
          timed(await pgbench({ ...run, connections: 1, seconds: duration }), 'mean ms'),
      })
    }),
}

function timed({ value, details = {} }: Sample, which: string): Sample {
  return { value: details[which] ?? Number.NaN, details: { ...details, 'requests/s': value } }
}

/** @returns what is looked for, and a member of many conversations who looks */
async function fill(databaseUrl: string, person: FirstPerson) {
  await connected(databaseUrl, (client) => client.query(VOCABULARY))
  const text = `(select text from bench_texts where bench_texts.n = s.n % ${TEXTS})`
  await furnish(databaseUrl, person, { ...HISTORY, text })
  return await connected(databaseUrl, async (client) => {
    await client.query(GROUPING)
    const [index] = (
      await client.query<{ made: string }>(`select pg_get_indexdef('message_words_found'::regclass) as made`)
    ).rows
    const indexing = ['drop index message_words_found', WORDS_OF_ALL, index?.made ?? '']
    for (const statement of [...indexing, QUERYING, 'vacuum analyze']) await client.query(statement)
    const { rows } = await client.query<{ query: string }>('select query from bench_queries order by n')
    const [asker] = (
      await client.query<{ user_id: string; org_id: string }>(
        'select user_id, min(org_id) as org_id from conversation_members group by user_id order by user_id limit 1',
      )
    ).rows
    if (!asker) throw new Error('nobody has a conversation')
    return { queries: rows.map(({ query }) => query), asker }
  })
}

async function checkFound(url: string, requests: readonly { headers: object; body: string }[]) {
  let found = 0
  for (const request of requests) {
    const answer = await fetch(url, { method: 'POST', ...request } as RequestInit)
    assert.equal(answer.status, 200)
    const { hits } = (await answer.json()) as { hits: unknown[] }
    found += Number(hits.length > 0)
  }
  assert(found > QUERIES / 2, `only ${found} of ${QUERIES} are found`)
}
