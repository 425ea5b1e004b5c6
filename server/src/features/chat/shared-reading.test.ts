import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Chatter, conversationOf, sendMany } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { until } from '../../../tests/until.ts'
import type { PipelinedStatement } from '../../platform/database/pipeline.ts'
import { createServer } from '../../platform/http/server.ts'
import { serveChatData } from './routes.ts'

/** Pages are read on connections that many use at once: whose claims are in force must change with every one of them. */

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

const AT_ONCE = 20
const ROUNDS = 12

async function said(from: Chatter, conversation: number): Promise<string[]> {
  const { data, error } = await from.rest.rpc('get_conversation_messages', {
    p_conversation_id: conversation,
  })
  if (error) throw error
  return data.map((row: { content: string }) => row.content)
}

async function peers(from: Chatter): Promise<number[]> {
  const { data, error } = await from.rest.rpc('get_recent_dms')
  if (error) throw error
  return data.map((row: { peer_user_id: number }) => row.peer_user_id)
}

const codeOf = async (from: Chatter) => {
  const args = { p_conversation_id: 'nothing' }
  return (await from.rest.rpc('get_conversation_messages', args)).error?.code
}

describe('pages that many read at once', () => {
  it('hold what each may see, whoever asks before and after on the same connection', async () => {
    const talks = await Promise.all([1, 2, 3].map(() => conversationOf(office)))
    for (const { ada, conversation } of talks) {
      await sendMany(office, ada, conversation, [`of ${conversation}`])
    }
    const ask = async (n: number) => {
      const { ada, ben, conversation } = talks[n % 3] as (typeof talks)[number]
      const foreign = talks[(n + 1) % 3] as (typeof talks)[number]
      expect(await said(n % 2 ? ada : ben, conversation)).toEqual([`of ${conversation}`])
      expect(await said(ada, foreign.conversation)).toEqual([])
      expect(await codeOf(ben)).toBe('22P02')
      expect(await peers(ben)).toEqual([Number(ada.id)])
    }
    const shared = vi.spyOn(office.office.chat.shared, 'run')
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => ask(n + round)))
    }
    // some have found no room, most have
    const carried = shared.mock.results.filter(({ value }) => value !== undefined)
    expect(carried.length).toBeGreaterThan(AT_ONCE)
    shared.mockRestore()
  })

  it('are all answered where more ask than there is room for', async () => {
    const { ada, conversation } = await conversationOf(office)
    await sendMany(office, ada, conversation, ['once'])
    const pages = await Promise.all(Array.from({ length: 40 }, () => said(ada, conversation)))
    expect(pages.flat()).toEqual(Array.from({ length: 40 }, () => 'once'))
  })

  it('hold nothing from the moment somebody is removed', async () => {
    const { ada, ben, conversation, founder } = await conversationOf(office)
    await sendMany(office, ada, conversation, ['before'])
    expect(await said(ben, conversation)).toEqual(['before'])
    await founder.browser.call('removeMember', { id: ben.id })
    // by the database at once, and by name as soon as the node has heard of it
    const saidTo = (from: Chatter) =>
      from.rest.rpc('get_conversation_messages', { p_conversation_id: conversation })
    const after = Array.from({ length: AT_ONCE }, () => Promise.all([saidTo(ben), said(ada, conversation)]))
    for (const [bens, adas] of await Promise.all(after)) {
      expect([[], null]).toContainEqual(bens.data)
      if (bens.error) expect(bens.status).toBe(401)
      expect(adas).toEqual(['before'])
    }
  })
})

describe('shared connections are for plain pages alone', () => {
  /** The same chat data, by a server that notes what is sent on shared connections. */
  async function watched() {
    const { ada, ben, conversation } = await conversationOf(office)
    const sent: (readonly PipelinedStatement[])[] = []
    const { chat } = office.office
    const server = await createServer({ log: recordedLog().log, trustProxy: [], origins: [], secure: false })
    const run = (statements: readonly PipelinedStatement[]) => {
      sent.push(statements)
      return undefined
    }
    const unlimited = {
      enter: async () => {},
      requirePaid() {},
      charge() {},
      underWay: office.office.access.underWay,
    }
    await serveChatData(server, { ...chat, ...unlimited, shared: { run, end: async () => {} } })
    const ask = async (method: 'GET' | 'POST', path: string, body?: object, headers: object = {}) => {
      sent.length = 0
      const answer = await server.inject({
        method,
        url: `/rest/v1/${path}`,
        headers: { authorization: `Bearer ${ada.token}`, ...headers },
        ...(body && { payload: body }),
      })
      return { status: answer.statusCode, shared: sent.length }
    }
    return { ask, ben, conversation }
  }

  it('whether they are asked by POST or GET', async () => {
    const { ask, conversation } = await watched()
    const shared = { status: 200, shared: 1 }
    for (const more of [{}, { p_limit: null }, { p_limit: 100 }, { p_limit: 10, p_cursor: 5 }]) {
      const page = { p_conversation_id: conversation, ...more }
      expect(await ask('POST', 'rpc/get_conversation_messages', page), JSON.stringify(more)).toEqual(shared)
    }
    const page = `rpc/get_conversation_messages?p_conversation_id=${conversation}`
    expect(await ask('GET', page)).toEqual(shared)
    expect(await ask('GET', `${page}&p_limit=100`)).toEqual(shared)
  })

  it('not for long ones', async () => {
    const { ask, conversation } = await watched()
    const page = `rpc/get_conversation_messages?p_conversation_id=${conversation}`
    expect(await ask('GET', `${page}&p_limit=101`)).toEqual({ status: 200, shared: 0 })
    expect(await ask('GET', `${page}&p_limit=all`)).toEqual({ status: 400, shared: 0 })
    // however many unread messages there are, they are counted
    for (const name of ['get_recent_dms', 'get_conversations'])
      expect(await ask('POST', `rpc/${name}`, { p_limit: 20 })).toEqual({ status: 200, shared: 0 })
    expect(await ask('POST', 'rpc/get_recent_dm_presence', {})).toEqual({ status: 200, shared: 0 })
  })

  it('not for what waits for others, or may take long', async () => {
    const { ask, ben, conversation } = await watched()
    const page = { p_conversation_id: conversation }
    const own = { status: 200, shared: 0 }
    expect(await ask('POST', 'rpc/open_dm', { p_peer_user_id: Number(ben.id) })).toEqual(own)
    expect(await ask('POST', 'rpc/get_conversation_messages', page, { prefer: 'count=exact' })).toEqual(own)
    for (const query of ['content=eq.x', 'order=content', 'limit=5', 'select=content', 'offset=1']) {
      expect(await ask('POST', `rpc/get_conversation_messages?${query}`, page), query).toEqual(own)
    }
    expect(await ask('GET', 'messages?limit=5')).toEqual(own)
    const cursor = { p_conversation_id: conversation, p_last_read_message_id: 1 }
    expect(await ask('POST', 'rpc/update_read_cursor', cursor)).toEqual({ status: 204, shared: 0 })
    const message = { conversation_id: conversation, content: 'x' }
    expect(await ask('POST', 'messages', message)).toEqual({ status: 201, shared: 0 })
  })
})

describe('shared connections of an office', () => {
  const connections = async (): Promise<{ pid: number; query: string }[]> => {
    const { rows } = await office.database.pool.query(
      `select pid, query from pg_stat_activity
       where datname = current_database() and application_name = 'atrium shared'`,
    )
    return rows
  }
  const inDatabase = async (setting: string) => {
    const { rows } = await office.database.pool.query('select current_database() as name')
    await office.database.pool.query(`alter database "${rows[0].name}" ${setting}`)
  }

  it('show moments in UTC as others do, and are closed with it', async () => {
    const before = (await connections()).map(({ pid }) => pid)
    const made = async () => (await connections()).filter(({ pid }) => !before.includes(pid))
    await inDatabase(`set timezone = 'Asia/Tokyo'`)
    const beside = await openTestOffice({ beside: office })
    try {
      const { ada, conversation } = await conversationOf(beside)
      await sendMany(beside, ada, conversation, ['when'])
      await until(async () => {
        const page = await ada.rest.rpc('get_conversation_messages', { p_conversation_id: conversation })
        expect(page.data[0].created_at).toMatch(/\+00:00$/)
        return (await made()).some(({ query }) => query.includes('get_conversation_messages('))
      })
    } finally {
      await beside.close()
      await inDatabase('reset timezone')
    }
    await until(async () => (await made()).length === 0)
  })
})
