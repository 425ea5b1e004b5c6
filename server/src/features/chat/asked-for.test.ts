import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, conversationOf, sendMany } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'

/** What a client asks for is done, or refused in words: nothing of it is passed over. */

let office: TestOffice
let ada: Chatter
let ben: Chatter
let conversation: number
beforeAll(async () => {
  office = await openTestOffice()
  ;({ ada, ben, conversation } = await conversationOf(office))
  await sendMany(office, ada, conversation, ['one', 'two'])
})
afterAll(() => office.close())

const raw = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
  fetch(`${office.baseUrl}/rest/v1/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json', ...init.headers },
  })
const preferring = (prefer: string, path = 'messages') => raw(path, { headers: { prefer } })
const messages = () => ada.rest.from('messages')

describe('preferences that are not served are refused', () => {
  it.each([
    ['tx=rollback', 'tx=rollback'],
    ['return=headers-only', 'return=headers-only'],
    ['max-affected=1', 'max-affected=1'],
    ['timezone=Asia/Tokyo', 'timezone=Asia/Tokyo'],
    ['params=single-object', 'params=single-object'],
    ['resolution=ignore-duplicates', 'resolution=ignore-duplicates'],
    ['one among others', 'count=exact, tx=rollback'],
    ['an unknown one, strictly handled', 'handling=strict, respond-async'],
    ['an unknown value, strictly handled', 'handling=strict, count=some'],
  ])('%s', async (_name, prefer) => {
    const before = (await messages().select('message_id')).data?.length
    for (const init of [
      {},
      { method: 'POST', body: JSON.stringify({ conversation_id: conversation, content: 'x' }) },
    ]) {
      const answer = await raw('messages', { ...init, headers: { prefer } })
      const refused = prefer.split(/, ?/).at(-1)
      expect({ status: answer.status, body: await answer.json() }).toEqual({
        status: 400,
        body: {
          code: 'PGRST122',
          message: expect.stringContaining(refused as string),
          details: expect.any(String),
          hint: null,
        },
      })
    }
    expect((await messages().select('message_id')).data).toHaveLength(before as number)
  })

  it('as the official client asks for them', async () => {
    const rolledBack = await messages().insert({ conversation_id: conversation, content: 'x' }).rollback()
    expect(rolledBack).toMatchObject({ status: 400, error: { code: 'PGRST122' } })
    const few = await messages()
      .select()
      .maxAffected(1 as never)
    expect(few).toMatchObject({ status: 400, error: { code: 'PGRST122' } })
    const row = { conversation_id: conversation, content: 'x' }
    const merged = await messages().upsert(row)
    expect(merged).toMatchObject({
      status: 403,
      error: {
        code: '42501',
        message: expect.stringMatching(/merge-duplicates/),
        hint: expect.stringMatching(/client_message_id/),
      },
    })
    expect(await messages().upsert(row, { ignoreDuplicates: true })).toMatchObject({ status: 400 })
    const onConflict = await messages().upsert(row, { onConflict: 'client_message_id' })
    expect(onConflict.status).toBeGreaterThanOrEqual(400)
  })

  it('while those that are served are named in the answer', async () => {
    const answer = await preferring('handling=strict, count=exact, tx=commit')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('preference-applied')).toBe('handling=strict, count=exact, tx=commit')
    // always exact, and said so
    const planned = await preferring('count=planned')
    expect(planned.headers.get('preference-applied')).toBe('count=exact')
    expect(planned.headers.get('content-range')).toMatch(/\/\d+$/)
    // leniently handled, what is unknown is no reason to refuse
    const lenient = await preferring('respond-async')
    expect([lenient.status, lenient.headers.get('preference-applied')]).toEqual([200, null])
    const { status } = await messages()
      .insert([{ conversation_id: conversation, content: 'three' }], { defaultToNull: false })
      .select()
    expect(status).toBe(201)
  })
})

describe('what a function does is shown', () => {
  it('with how many rows there are of it', async () => {
    const opened = await ada.rest.rpc('open_dm', { p_peer_user_id: Number(ben.id) }, { count: 'exact' })
    expect(opened).toMatchObject({ status: 200, count: 1, data: [{ conversation_id: conversation }] })
  })

  it.each(['conversation_id=eq.0', 'offset=1', 'limit=0'])('and not left out, as by %s', async (query) => {
    const groups = async () => (await ada.browser.call('listConversations')).conversations.length
    const before = await groups()
    const answer = await raw(`rpc/open_conversation?${query}`, {
      method: 'POST',
      body: JSON.stringify({ p_user_ids: [Number(ben.id)], p_title: 'Left out' }),
    })
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 400,
      body: { code: 'PGRST100' },
    })
    expect(await groups()).toBe(before)
  })
})

describe('forms that are not served are refused', () => {
  it('without nulls', async () => {
    const stripped = await messages().select().stripNulls()
    expect(stripped).toMatchObject({
      status: 406,
      error: { code: 'PGRST107', message: expect.stringMatching(/nulls=stripped/) },
    })
    expect(await messages().select().limit(1).stripNulls().single()).toMatchObject({ status: 406 })
  })

  it.each(['text/csv', 'application/geo+json', 'application/vnd.pgrst.plan+json'])('%s', async (accept) => {
    expect((await raw('messages', { headers: { accept } })).status).toBe(406)
  })
})

describe('questions that are not served are refused', () => {
  it.each(['count()', 'message_id.sum()', 'content,n:message_id.max()', 'created_at.min()::text'])(
    'aggregates: %s',
    async (select) => {
      const answer = await raw(`messages?select=${encodeURIComponent(select)}`)
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 400,
        body: { code: 'PGRST123', message: 'Use of aggregate functions is not allowed' },
      })
    },
  )

  it('the description of everything', async () => {
    for (const path of ['/rest/v1/', '/rest/v1']) {
      const answer = await fetch(`${office.baseUrl}${path}`, {
        headers: { authorization: `Bearer ${ada.token}` },
      })
      expect({ status: answer.status, body: await answer.json() }, path).toMatchObject({
        status: 404,
        body: { code: 'PGRST126', hint: expect.stringContaining('docs/chat.md') },
      })
    }
  })

  it.each([
    ['columns of what is read', 'GET', 'messages?columns=content', 'PGRST100'],
    ['a conflict of what is read', 'GET', 'messages?on_conflict=message_id', 'PGRST100'],
    ['a limit twice', 'GET', 'messages?limit=1&limit=2', 'PGRST100'],
    ['an order twice', 'GET', 'messages?order=content&order=message_id', 'PGRST100'],
    ['a select twice', 'GET', 'messages?select=content&select=message_id', 'PGRST100'],
    ['a parameter twice', 'GET', 'rpc/get_recent_dms?p_limit=1&p_limit=2', 'PGRST100'],
    ['a filter of what is sent', 'POST', 'messages?content=eq.x', 'PGRST100'],
    ['a limit of what is sent', 'POST', 'messages?limit=1', 'PGRST100'],
    ['a conflict of what is sent', 'POST', 'messages?on_conflict=message_id', 'PGRST100'],
    ['a select of nothing', 'POST', 'rpc/update_presence?select=status', 'PGRST100'],
  ])('%s', async (_name, method, path, code) => {
    const body = path.startsWith('rpc')
      ? { p_status: 'online' }
      : { conversation_id: conversation, content: 'x' }
    const answer = await raw(path, { method, ...(method === 'POST' && { body: JSON.stringify(body) }) })
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 400,
      body: { code },
    })
  })

  it.each(['rows', 'items=one-two', 'bytes=0-5', '5-', '0-9999', '2-1'])(
    'the range %s, by POST or malformed',
    async (range) => {
      const byPost = await raw('rpc/get_recent_dms', { method: 'POST', body: '{}', headers: { range } })
      expect({ status: byPost.status, body: await byPost.json() }).toMatchObject({
        status: 416,
        body: { code: 'PGRST103' },
      })
      const wellFormed = range === '5-' || range === '0-9999'
      const byGet = await raw('messages', { headers: { range } })
      expect(byGet.status).toBe(wellFormed ? 200 : 416)
    },
  )

  it('other methods of a function', async () => {
    for (const method of ['PATCH', 'PUT', 'DELETE', 'PROPFIND']) {
      const answer = await raw('rpc/get_recent_dms', { method, body: '{' })
      expect({
        status: answer.status,
        allow: answer.headers.get('allow'),
        body: await answer.json(),
      }).toMatchObject({
        status: 405,
        allow: 'GET, HEAD, POST, OPTIONS',
        body: { code: 'PGRST101', message: `Cannot use the ${method} method on RPC` },
      })
    }
  })

  it('a method that no table knows, and one that a function is not called by', async () => {
    const ofTable = await raw('messages', { method: 'PROPFIND' })
    expect([ofTable.status, await ofTable.json()]).toMatchObject([405, { code: 'PGRST117' }])
    expect(ofTable.headers.get('allow')).toBe('GET, HEAD, DELETE, PATCH, PUT, POST, OPTIONS')
    const byGet = await raw('rpc/update_presence?p_status=online')
    expect([byGet.status, byGet.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })
})

describe('browsers', () => {
  it('may read why a change is refused: a preflight of it is allowed', async () => {
    const origin = new URL(office.office.config.frontendUrl).origin
    const answer = await fetch(`${office.baseUrl}/rest/v1/messages`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization',
      },
    })
    expect(answer.headers.get('access-control-allow-methods')).toMatch(/PATCH/)
    expect(answer.headers.get('access-control-allow-headers')).toBe(
      'authorization, apikey, content-type, prefer, accept-profile, content-profile, range',
    )
  })
})
