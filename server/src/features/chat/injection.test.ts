import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, conversationOf, restOf, sendMany } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'

/** SQL in every place that a request has: nothing of it is ever run, no caller sees more for it, and no answer is a 5xx. */

let office: TestOffice
let ada: Chatter
let own: Awaited<ReturnType<typeof conversationOf>>
let before: unknown
beforeAll(async () => {
  office = await openTestOffice()
  own = await conversationOf(office)
  ada = own.ada
  await sendMany(office, own.ben, own.conversation, ['mine'])
  const foreign = await conversationOf(office)
  await sendMany(office, foreign.ada, foreign.conversation, ['a foreign secret'])
  before = await everything()
})
afterAll(() => office.close())

const everything = async () =>
  (
    await office.database.pool.query(
      `select (select jsonb_agg(m order by message_id) from messages m) as messages,
         (select jsonb_agg(c order by conversation_id) from conversations c) as conversations,
         (select jsonb_agg(m order by conversation_id, user_id) from conversation_members m) as members,
         (select jsonb_agg(p) from chat_presence p) as presence,
         (select count(*) from users) as users`,
    )
  ).rows

const HOSTILE = [
  "'; drop table messages; --",
  '1; update messages set content = chr(88)',
  "1' or '1'='1",
  '1 or true',
  '0 union select content from messages',
  '1) or (true',
  '(select content from messages limit 1)',
  'pg_sleep(5)',
  '$1',
  '$$;select 1;$$',
  '"; reset role; --',
  'messages"; reset role; select "',
  "\\'; reset role; --",
  '/**/or/**/true',
  '%27%20or%20true',
  '{1,2}',
  '(1,2)',
  '*',
  '\u0000',
  '\ud800',
  "' || (select current_user) || '",
  '__proto__',
  'constructor',
  'x'.repeat(10_000),
]

const PLACES: Record<
  string,
  (text: string) => [method: string, path: string, body?: unknown, headers?: object]
> = {
  'name of a table': (text) => ['GET', encodeURIComponent(text)],
  'name of a function': (text) => ['POST', `rpc/${encodeURIComponent(text)}`, {}],
  'name of a parameter': (text) => ['POST', 'rpc/get_recent_dms', { [text]: 1 }],
  'name of a filter': (text) => ['GET', `messages?${encodeURIComponent(text)}=eq.1`],
  'name of a column to insert': (text) => [
    'POST',
    'messages',
    { [text]: 1, conversation_id: 0, content: 'x' },
  ],
  'name of the columns': (text) => [
    'POST',
    `messages?columns=${encodeURIComponent(text)}`,
    { conversation_id: 0, content: 'x' },
  ],
  on_conflict: (text) => [
    'POST',
    `messages?on_conflict=${encodeURIComponent(text)}`,
    { conversation_id: 0, content: 'x' },
  ],
  select: (text) => ['GET', `messages?select=${encodeURIComponent(text)}`],
  'alias of select': (text) => ['GET', `messages?select=${encodeURIComponent(text)}:content`],
  'select of what was sent': (text) => [
    'POST',
    `messages?select=${encodeURIComponent(text)}`,
    { conversation_id: 0, content: 'x' },
    { prefer: 'return=representation' },
  ],
  order: (text) => ['GET', `messages?order=${encodeURIComponent(text)}`],
  'order of a column': (text) => ['GET', `messages?order=content.${encodeURIComponent(text)}`],
  limit: (text) => ['GET', `messages?limit=${encodeURIComponent(text)}`],
  offset: (text) => ['GET', `messages?offset=${encodeURIComponent(text)}`],
  operator: (text) => ['GET', `messages?content=${encodeURIComponent(text)}.x`],
  'eq of a text': (text) => ['GET', `messages?content=eq.${encodeURIComponent(text)}`],
  'eq of a number': (text) => ['GET', `messages?message_id=eq.${encodeURIComponent(text)}`],
  'gt of a time': (text) => ['GET', `messages?created_at=gt.${encodeURIComponent(text)}`],
  in: (text) => ['GET', `messages?content=in.(${encodeURIComponent(text)})`],
  'in with quotes': (text) => ['GET', `messages?content=in.("${encodeURIComponent(text)}")`],
  'in of numbers': (text) => ['GET', `messages?message_id=in.("${encodeURIComponent(text)}",0)`],
  is: (text) => ['GET', `messages?content=is.${encodeURIComponent(text)}`],
  p_conversation_id: (text) => ['POST', 'rpc/get_conversation_messages', { p_conversation_id: text }],
  p_limit: (text) => ['POST', 'rpc/get_recent_dms', { p_limit: text }],
  p_cursor: (text) => ['POST', 'rpc/get_recent_dm_presence', { p_cursor: text }],
  'p_cursor by GET': (text) => ['GET', `rpc/get_recent_dms?p_cursor=${encodeURIComponent(text)}`],
  p_last_read_message_id: (text) => [
    'POST',
    'rpc/update_read_cursor',
    { p_conversation_id: 0, p_last_read_message_id: text },
  ],
  p_status: (text) => ['POST', 'rpc/update_presence', { p_status: text }],
  p_peer_user_id: (text) => ['POST', 'rpc/open_dm', { p_peer_user_id: text }],
  'an object in the place of a value': (text) => [
    'POST',
    'rpc/open_dm',
    { p_peer_user_id: { [text]: text } },
  ],
  'a conversation': (text) => ['POST', 'messages', { conversation_id: text, content: 'x' }],
  'content of a foreign conversation': (text) => ['POST', 'messages', { conversation_id: 0, content: text }],
  'a parent': (text) => ['POST', 'messages', { conversation_id: 0, content: 'x', parent_message_id: text }],
  'a client id': (text) => [
    'POST',
    'messages',
    { conversation_id: 0, content: 'x', client_message_id: text },
  ],
  'a header': (text) => [
    'GET',
    'messages?content=eq.none',
    undefined,
    Object.fromEntries(
      ['prefer', 'range', 'accept', 'accept-profile', 'apikey', 'range-unit'].map((name) => [
        name,
        encodeURIComponent(text.replace('\ud800', '')),
      ]),
    ),
  ],
}

/** Its own messages are all that a person may ever be shown. */
const LEAK = /a foreign secret|rolpassword|atrium_session/

describe('SQL in', () => {
  it.each(Object.keys(PLACES))('%s', async (name) => {
    for (const text of HOSTILE) {
      const place = PLACES[name] as (typeof PLACES)[string]
      let made: ReturnType<typeof place>
      try {
        made = place(text)
      } catch {
        // half of a character has no form in an address
        continue
      }
      const [method, path, body, headers = {}] = made
      const answer = await fetch(`${office.baseUrl}/rest/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const shown = await answer.text()
      const where = `${name}: ${text.slice(0, 50)} → ${answer.status} ${shown.slice(0, 300)}`
      expect(answer.status, where).toBeLessThan(500)
      expect(shown, where).not.toMatch(LEAK)
      if (answer.status >= 400 && answer.status !== 431 && shown !== '')
        expect(Object.keys(JSON.parse(shown)), where).toContain('message')
    }
    expect(await everything()).toEqual(before)
  })

  it('a message is a message', async () => {
    const texts = HOSTILE.filter(
      (text) => !text.includes('\u0000') && text.length <= 4_000 && text !== '\ud800',
    )
    const sent = await sendMany(office, ada, own.conversation, texts)
    const { data } = await own.ben.rest
      .from('messages')
      .select('content')
      .in('message_id', sent)
      .order('message_id')
    expect(data?.map(({ content }) => content)).toEqual(texts)
    for (const text of texts.filter((one) => !/["\\]/.test(one))) {
      const { data: found } = await ada.rest.from('messages').select('content').eq('content', text)
      expect(found).toEqual([{ content: text }])
    }
  })
})

describe('a database that does not answer', () => {
  it('is told in good time, in the same form', async () => {
    const node = await openTestOffice({ beside: office, settings: { DATABASE_WAIT_MS: '1000' } })
    const blocker = await office.database.pool.connect()
    try {
      await blocker.query('begin')
      await blocker.query('lock table messages in access exclusive mode')
      const answer = await restOf(node, ada.token).from('messages').select()
      expect(answer.status).toBe(503)
      expect(answer.error).toMatchObject({ code: 'PGRST001' })
    } finally {
      await blocker.query('rollback')
      blocker.release()
      await node.close()
    }
    expect((await ada.rest.from('messages').select().limit(1)).status).toBe(200)
  })
})
