import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import { startTemporaryCluster } from '@atrium/embedded-postgres/temporary-cluster.ts'
import { PostgrestClient } from '@supabase/postgrest-js'
import pg from 'pg'
import { run } from '../commands.ts'
import type { Check } from '../engine.ts'
import { mailedCode } from '../mailbox.ts'
import { type Ends, untilAnswers } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { digests } from './digests.ts'
import { dumpTools } from './dump-tools.ts'
import { ENTRY, openNode, ownedDatabase } from './node.ts'
import type { Version } from './version.ts'

/** Two of one organization who have written to each other. */
interface Pair {
  words: string
  ids: string[]
  cookies: ReturnType<typeof createCookieJar>[]
}

/** `pg_dump` and `pg_restore` into a fresh server, as docs/operations/database-check.md has it. */
export async function tryRestore(version: Version, check: Check): Promise<void> {
  const ends: Ends = []
  try {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-restore-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    const archive = join(folder, 'atrium.dump')
    const packageRoot = await version.packageRoot(ends)
    const cluster = async () => {
      const started = await startTemporaryCluster(undefined, packageRoot)
      ends.push(started.stop)
      return started.connectionString
    }
    const before = await ownedDatabase(await cluster(), version.major)
    const pairs = await fill(before)
    const fresh = await cluster()
    const after = await ownedDatabase(fresh, version.major)
    const tool = (name: string, args: string[]) => run(join(dumpTools(version.major), name), args)
    const restore = (url: string) => tool('pg_restore', ['--no-owner', `--dbname=${url}`, archive])
    await check(
      'pg_dump, and pg_restore into a fresh server without the role: every row is back',
      async () => {
        await tool('pg_dump', ['--format=custom', `--file=${archive}`, before])
        // what names the role fails to come back, and pg_restore says so
        await assert.rejects(restore(after), /role "authenticated" does not exist/)
        assert.deepEqual(await digests(after), await digests(before))
      },
    )
    await check('the check names what is lost, and a node on it is not ready', async () => {
      await assert.rejects(atrium(after, 'database', 'check'), /authenticated[\s\S]*Mend it with/)
      await assert.rejects(atrium(after, 'migrate'), /Mend it with/)
      await withNode(after, async (url) => {
        await untilAnswers(`${url}/health/ready`, undefined, (status) => status === 503)
        // a busy machine may be late with the schema
        await eventually('the node says why', async () => {
          const response = await fetch(`${url}/health/ready`)
          const { problems } = (await response.json()) as { problems?: string[] }
          return response.status === 503 && String(problems).includes('authenticated')
        })
      })
    })
    await check('--mend makes it again: chat works, and other tenants see nothing of it', async () => {
      await atrium(after, 'database', 'check', '--mend')
      await atrium(after, 'database', 'check')
      await withNode(after, async (url) => {
        await untilAnswers(`${url}/health/ready`)
        await tryChat(url, pairs)
      })
    })
    await check('with the role made beforehand nothing is lost', async () => {
      const again = new URL(after)
      again.pathname = '/again'
      await asAdmin(fresh, 'create database again owner owner')
      await restore(again.href)
      await atrium(again.href, 'database', 'check')
      assert.deepEqual(await digests(again.href), await digests(before))
    })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

async function atrium(databaseUrl: string, ...args: string[]): Promise<string> {
  return await run(process.execPath, [ENTRY, ...args], {
    env: { ATRIUM_ENV: 'test', DATABASE_URL: databaseUrl },
  })
}

async function withNode(databaseUrl: string, work: (url: string) => Promise<void>): Promise<void> {
  const ends: Ends = []
  try {
    await work(await openNode(databaseUrl, ends))
  } finally {
    for (const end of ends) await end()
  }
}

/** Two organizations with a conversation each. */
async function fill(databaseUrl: string): Promise<Pair[]> {
  const pairs: Pair[] = []
  await withNode(databaseUrl, async (url) => {
    await untilAnswers(`${url}/health/ready`)
    for (const name of ['One', 'Other']) pairs.push(await newPair(url, name))
  })
  return pairs
}

async function newPair(url: string, name: string): Promise<Pair> {
  const [ada, ben] = [await newPerson(url), await newPerson(url)]
  await ada.client.call('createOrganization', { name })
  const { inviteLink } = await ada.client.call('getInviteLink')
  const inviteToken = new URL(inviteLink).searchParams.get('invite_token') ?? ''
  await ben.client.call('joinOrganization', { inviteToken })
  const words = `words of ${name}`
  const people = [ada, ben]
  await write(url, ada.client, ben.id, words)
  return { words, ids: people.map(({ id }) => id), cookies: people.map(({ cookies }) => cookies) }
}

async function newPerson(url: string) {
  const email = `person-${randomBytes(6).toString('hex')}@restored.example`
  const cookies = createCookieJar()
  const client = createAtriumClient({ baseUrl: url, cookies })
  await client.call('signUp', { email })
  const { user } = await client.call('finalizeMagicAuth', { email, code: await mailedCode(url, email) })
  return { id: user.id, client, cookies }
}

async function restOf(url: string, client: AtriumClient) {
  const { token } = await client.call('mintChatToken')
  return new PostgrestClient(`${url}/rest/v1`, { headers: { authorization: `Bearer ${token}` } })
}

async function write(url: string, client: AtriumClient, peer: string, content: string): Promise<void> {
  const rest = await restOf(url, client)
  const opened = await rest.rpc('open_dm', { p_peer_user_id: Number(peer) }).single()
  assert.equal(opened.error, null)
  const { conversation_id } = opened.data as { conversation_id: number }
  const sent = await rest.from('messages').insert({ conversation_id, content })
  assert.equal(sent.error, null)
}

/** In the browsers of before: who was signed in still is. */
async function tryChat(url: string, pairs: readonly Pair[]): Promise<void> {
  for (const { words, ids, cookies } of pairs) {
    const [ada, ben] = cookies.map((jar) => createAtriumClient({ baseUrl: url, cookies: jar }))
    if (!ada || !ben) throw new Error('a pair is two')
    await write(url, ada, ids[1] ?? '', `more ${words}`)
    const { data, error } = await (await restOf(url, ben))
      .from('messages')
      .select('content')
      .order('message_id')
    assert.equal(error, null)
    // all there is, with no filter: row-level security alone keeps the other organization's away
    assert.deepEqual(data, [{ content: words }, { content: `more ${words}` }])
  }
}

async function asAdmin(adminUrl: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query(statement)
  } finally {
    await admin.end()
  }
}
