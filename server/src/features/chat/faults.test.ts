import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, conversationOf } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'
import { processorTimeOf } from '../../../tests/run/timed.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

const raw = (from: Chatter, path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
  fetch(`${office.baseUrl}/rest/v1/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${from.token}`, 'content-type': 'application/json', ...init.headers },
  })

const MARKS = encodeURIComponent(`a${'\u0301'.repeat(31)}`)

describe('refusals', () => {
  let ada: Chatter
  let conversation: number
  beforeAll(async () => {
    ;({ ada, conversation } = await conversationOf(office))
  })

  it.each([
    ['an unknown table', 'GET', 'users', 404, 'PGRST205'],
    ['an unknown function', 'POST', 'rpc/pg_sleep', 404, 'PGRST202'],
    ['a parameter that is missing', 'POST', 'rpc/get_conversation_messages', 404, 'PGRST202'],
    ['a column that is unknown', 'GET', 'messages?select=password', 400, '42703'],
    ['a filter on a column that is unknown', 'GET', 'messages?password=eq.1', 400, '42703'],
    ['an order by a column that is unknown', 'GET', 'messages?order=password', 400, '42703'],
    ['an operator that is unknown', 'GET', 'messages?content=like.a*', 400, 'PGRST100'],
    ['no operator', 'GET', 'messages?content=a', 400, 'PGRST100'],
    ['a wrong truth', 'GET', 'messages?content=is.maybe', 400, 'PGRST100'],
    ['or', 'GET', 'messages?or=(content.eq.a,content.eq.b)', 400, 'PGRST100'],
    ['a wrong limit', 'GET', 'messages?limit=-1', 400, 'PGRST100'],
    ['a wrong order', 'GET', 'messages?order=content.up', 400, 'PGRST100'],
    ['a value of another type', 'GET', 'messages?message_id=eq.abc', 400, '22P02'],
    ['a number that is too large', 'GET', 'messages?message_id=eq.99999999999999999999', 400, '22003'],
    ['a null byte', 'GET', 'messages?content=eq.%00', 400, '22021'],
    ['bytes that are no text', 'GET', 'messages?content=eq.%ff', 400, 'PGRST100'],
    ['an escape that is none', 'GET', 'messages?content=eq.%zz', 400, 'PGRST100'],
    ['a name that is no text', 'GET', 'messages?%ff=eq.1', 400, 'PGRST100'],
    ['a parameter that is no text', 'GET', 'rpc/get_recent_dms?p_limit=%c3%28', 400, 'PGRST100'],
    ['a select that is no text', 'POST', 'messages?select=%zz', 400, 'PGRST100'],
    ['marks in a filter', 'GET', `messages?content=eq.${MARKS}`, 400, 'PGRST102'],
    ['marks in a select', 'GET', `messages?select=${MARKS}`, 400, 'PGRST102'],
    ['marks in a name', 'GET', `messages?${MARKS}=eq.1`, 400, 'PGRST102'],
    ['a title of marks', 'GET', `rpc/open_conversation?p_title=${MARKS}`, 400, 'PGRST102'],
    ['rows of other tables', 'GET', 'messages?select=content,conversations(*)', 400, 'PGRST200'],
    ['reactions', 'GET', 'reactions', 403, '42501'],
    ['attachments', 'GET', 'attachments?select=*', 403, '42501'],
    ['a new reaction', 'POST', 'reactions', 403, '42501'],
    ['a new conversation', 'POST', 'conversations', 403, '42501'],
    ['a change of messages', 'PATCH', 'messages?message_id=gt.0', 403, '42501'],
    ['a deletion', 'DELETE', 'messages?message_id=gt.0', 403, '42501'],
    ['a table whose name is no text', 'GET', '%ff', 404, 'PGRST125'],
    ['a function whose name is no text', 'POST', 'rpc/%ff', 404, 'PGRST125'],
    ['a path below', 'GET', 'messages/1', 404, 'PGRST125'],
    ['a change by GET', 'GET', 'rpc/update_presence?p_status=online', 405, '25006'],
  ])('%s', async (_name, method, path, status, code) => {
    const answer = await raw(ada, path, { method, ...(method === 'GET' ? {} : { body: '{}' }) })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status,
      body: {
        code,
        message: expect.stringMatching(/./),
        details: expect.toSatisfy((details) => details === null || typeof details === 'string'),
        hint: expect.toSatisfy((hint) => hint === null || typeof hint === 'string'),
      },
    })
  })

  it.each([
    ['no JSON', '{', {}, 400, 'PGRST102'],
    ['no object', '"x"', {}, 400, 'PGRST102'],
    ['a list in a list', '[[]]', {}, 400, 'PGRST102'],
    ['nested without end', `{"content":${'['.repeat(60_000)}${']'.repeat(60_000)}}`, {}, 400, 'PGRST102'],
    ['an unknown column', '{"password":1}', {}, 400, 'PGRST204'],
    ['no conversation', '{"content":"x"}', {}, 400, '23502'],
    ['a null byte', '{"conversation_id":1,"content":"a\\u0000b"}', {}, 400, '22P05'],
    ['an id that is none', '{"conversation_id":"one","content":"x"}', {}, 400, '22P02'],
    [
      'a client id that is none',
      '{"conversation_id":1,"content":"x","client_message_id":"7"}',
      {},
      400,
      '22P02',
    ],
    ['another schema', '{}', { 'content-profile': 'pg_catalog' }, 406, 'PGRST106'],
    ['another content type', 'x', { 'content-type': 'text/csv' }, 415, 'PGRST102'],
    ['another answer', '{}', { accept: 'text/csv' }, 406, 'PGRST107'],
    ['a merge', '{}', { prefer: 'resolution=merge-duplicates' }, 403, '42501'],
    ['a message without end', JSON.stringify({ content: 'x'.repeat(16_001) }), {}, 400, 'PGRST102'],
    ['a message of marks', JSON.stringify({ content: `a${'\u0301'.repeat(40_000)}` }), {}, 400, 'PGRST102'],
    ['a column of marks', JSON.stringify({ [`a${'\u0301'.repeat(31)}`]: 1 }), {}, 400, 'PGRST102'],
    ['more messages than a request has', JSON.stringify(Array(20_000).fill({})), {}, 400, 'PGRST102'],
    ['too much', `"${'x'.repeat(300_000)}"`, {}, 413, 'PGRST102'],
  ])('of a message: %s', async (_name, body, headers, status, code) => {
    const answer = await raw(ada, 'messages', { method: 'POST', body, headers })
    expect(await answer.json()).toMatchObject({ code, details: null })
    expect(answer.status).toBe(status)
  })

  it('of a value that cannot be read, without all of it', async () => {
    const body = `{"conversation_id": "${'x'.repeat(16_000)}", "content": "x"}`
    const answer = await raw(ada, 'messages', { method: 'POST', body })
    const { code, message } = (await answer.json()) as { code: string; message: string }
    expect([answer.status, code]).toEqual([400, '22P02'])
    expect(message.length).toBeLessThanOrEqual(500)
  })

  it.each([
    ['marks', `a${'\u0301'.repeat(30_000)}${'\u0327'.repeat(30_000)}`],
    ['a text without end', 'x'.repeat(200_000)],
  ])('of a title of %s, before it is read', async (_case, p_title) => {
    const took = await processorTimeOf(async () => {
      const body = JSON.stringify({ p_user_ids: [1], p_title })
      const answer = await raw(ada, 'rpc/open_conversation', { method: 'POST', body })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ code: 'PGRST102', message: expect.any(String) })
    })
    expect(took).toBeLessThan(150)
  })

  it('of a message of many megabytes, and whoever sends it sees that', async () => {
    const body = `"${'x'.repeat(40 * 1024 * 1024)}"`
    const answer = await raw(ada, 'messages', { method: 'POST', body })
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ code: 'PGRST102' })
    // hung up on while still writing, it would see a broken pipe
    expect(answer.headers.get('connection')).not.toBe('close')
  })

  it('a DM with oneself, with nobody, and with somebody of another organization', async () => {
    const stranger = await newFounder(office, 'Elsewhere')
    const open = (id: string) => ada.rest.rpc('open_dm', { p_peer_user_id: id })
    expect(await open(ada.id)).toMatchObject({ status: 400, error: { code: '22023' } })
    for (const id of [stranger.id, '987654321', '-1', null as unknown as string])
      expect(await open(id)).toMatchObject({ status: 404, error: { code: 'PT404' } })
  })

  it('of nothing goes to the log as a defect, and nothing was changed', async () => {
    const { data } = await ada.rest.from('messages').select().eq('conversation_id', conversation)
    expect(data).toEqual([])
  })
})
