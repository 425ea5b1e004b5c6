import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, chatterOf, conversationOf, openDm, sendMany } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

const send = (from: Chatter, row: Record<string, unknown>) => from.rest.from('messages').insert(row)
const raw = (from: Chatter, path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
  fetch(`${office.baseUrl}/rest/v1/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${from.token}`, 'content-type': 'application/json', ...init.headers },
  })

describe('a conversation with the official client', () => {
  it('goes from opening it to having read it', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    expect(await openDm(ben, ada)).toBe(conversation)

    const first = await send(ada, { conversation_id: conversation, content: 'Hello' }).select().single()
    expect(first.status).toBe(201)
    expect(first.data).toEqual({
      message_id: expect.any(Number),
      conversation_id: conversation,
      org_id: expect.any(Number),
      sender_id: Number(ada.id),
      content: 'Hello',
      parent_message_id: null,
      client_message_id: null,
      reply_count: 0,
      is_edited: false,
      is_deleted: false,
      created_at: expect.stringMatching(/\+00:00$/),
      updated_at: first.data.created_at,
    })
    const silent = await send(ben, {
      conversation_id: conversation,
      content: 'Hi',
      parent_message_id: first.data.message_id,
    })
    expect(silent).toMatchObject({ status: 201, data: null, error: null })

    const { data: messages } = await ben.rest.rpc('get_conversation_messages', {
      p_conversation_id: conversation,
    })
    expect(messages).toEqual([
      {
        message_id: expect.any(Number),
        sender_id: Number(ben.id),
        content: 'Hi',
        parent_message_id: first.data.message_id,
        reply_count: 0,
        is_edited: false,
        is_deleted: false,
        created_at: expect.any(String),
      },
      expect.objectContaining({ content: 'Hello', reply_count: 1 }),
    ])

    const dms = await ada.rest.rpc('get_recent_dms')
    expect(dms.data).toEqual([
      {
        conversation_id: conversation,
        peer_user_id: Number(ben.id),
        peer_email: ben.email,
        peer_display_name: expect.any(String),
        peer_avatar_url: null,
        peer_status: 'offline',
        peer_last_seen_at: null,
        last_message_content: 'Hi',
        last_message_sender: Number(ben.id),
        last_message_at: messages[0].created_at,
        unread_count: 1,
        updated_at: messages[0].created_at,
      },
    ])
    const read = await ada.rest.rpc('update_read_cursor', {
      p_conversation_id: conversation,
      p_last_read_message_id: messages[0].message_id,
    })
    expect(read).toMatchObject({ status: 204, error: null })
    const again = await ada.rest.rpc('get_recent_dms').select('unread_count').single()
    expect(again.data).toEqual({ unread_count: 0 })
  })

  it('reads tables with select, filters, order, limit, offset and count', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    const ids = await sendMany(office, ada, conversation, ['one', 'two', 'three, four', 'five'])
    const [one, two, three, five] = ids as [number, number, number, number]
    const messages = () => ben.rest.from('messages')
    const idsOf = ({ data, error }: { data: { message_id: number }[] | null; error: unknown }) =>
      error ?? data?.map(({ message_id: id }) => id)
    const select = () => messages().select('message_id')
    expect(idsOf(await select().eq('content', 'two'))).toEqual([two])
    expect(idsOf(await select().neq('content', 'two').order('message_id'))).toEqual([one, three, five])
    expect(idsOf(await select().gt('message_id', two).order('message_id'))).toEqual([three, five])
    expect(idsOf(await select().gte('message_id', two).lt('message_id', five).order('message_id'))).toEqual([
      two,
      three,
    ])
    expect(idsOf(await select().lte('message_id', one))).toEqual([one])
    expect(idsOf(await select().in('content', ['one', 'three, four']).order('message_id'))).toEqual([
      one,
      three,
    ])
    expect(idsOf(await select().in('message_id', [one, two]).order('message_id'))).toEqual([one, two])
    expect(idsOf(await select().in('message_id', []))).toEqual([])
    // of these the client puts quotes around the last one only
    const odd = ['a "quoted" word', '"', 'back\\slash', 'one', 'with, comma']
    expect(idsOf(await select().in('content', odd))).toEqual([one])
    expect(idsOf(await select().is('parent_message_id', null).limit(1).order('message_id'))).toEqual([one])
    expect(idsOf(await select().not('parent_message_id', 'is', null))).toEqual([])
    expect(idsOf(await select().is('is_deleted', false).order('message_id', { ascending: false }))).toEqual([
      five,
      three,
      two,
      one,
    ])
    expect(
      idsOf(
        await select()
          .order('parent_message_id', { nullsFirst: true })
          .order('message_id', { ascending: false })
          .range(1, 2),
      ),
    ).toEqual([three, two])
    expect((await messages().select('id:message_id, content').eq('content', 'one').single()).data).toEqual({
      id: one,
      content: 'one',
    })
    const counted = await messages().select('message_id', { count: 'exact' }).limit(2)
    expect(counted).toMatchObject({ count: 4, status: 206 })
    expect(counted.data).toHaveLength(2)
    expect(await messages().select('*', { count: 'exact', head: true })).toMatchObject({
      count: 4,
      data: null,
      error: null,
    })
    expect((await select().eq('content', 'none').maybeSingle()).data).toBeNull()
    expect((await select().single()).error).toMatchObject({ code: 'PGRST116' })

    const { data: members } = await ben.rest.from('conversation_members').select().order('user_id')
    expect(members).toEqual(
      [ada, ben].map(({ id }) => ({
        conversation_id: conversation,
        user_id: Number(id),
        org_id: expect.any(Number),
        last_read_message_id: null,
        joined_at: expect.any(String),
      })),
    )
    const { data: conversations } = await ben.rest.from('conversations').select('conversation_id,type')
    expect(conversations).toEqual([{ conversation_id: conversation, type: 'DM' }])
  })

  it('pages the functions too, calls stable ones by GET, and honours Range', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    const ids = await sendMany(office, ada, conversation, ['one', 'two', 'three'])
    const byGet = await ben.rest.rpc(
      'get_conversation_messages',
      { p_conversation_id: conversation, p_limit: 2 },
      { get: true, count: 'exact' },
    )
    expect(byGet.count).toBe(2)
    expect(byGet.data.map((row: { message_id: number }) => row.message_id)).toEqual([ids[2], ids[1]])
    const filtered = await ben.rest
      .rpc('get_conversation_messages', { p_conversation_id: conversation })
      .select('content')
      .neq('content', 'two')
      .order('message_id')
    expect(filtered.data).toEqual([{ content: 'one' }, { content: 'three' }])
    const ranged = await raw(ben, 'messages?select=content&order=message_id', { headers: { range: '1-1' } })
    expect(ranged.headers.get('content-range')).toBe('1-1/*')
    expect(await ranged.json()).toEqual([{ content: 'two' }])
    const beyond = await raw(ben, 'messages?offset=50', { headers: { prefer: 'count=exact' } })
    expect(beyond.status).toBe(416)
    expect(await beyond.json()).toMatchObject({ code: 'PGRST103' })
  })
})

describe('sending', () => {
  it('sets what is not the client to say, whatever it says', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    const { data, error } = await send(ada, {
      conversation_id: conversation,
      content: 'x',
      message_id: 1,
      sender_id: Number(ben.id),
      org_id: 999_999,
      reply_count: 7,
      is_edited: true,
      is_deleted: true,
      created_at: '2001-01-01T00:00:00Z',
      updated_at: '2001-01-01T00:00:00Z',
    })
      .select()
      .single()
    expect(error).toBeNull()
    expect(data).toMatchObject({
      sender_id: Number(ada.id),
      reply_count: 0,
      is_edited: false,
      is_deleted: false,
    })
    expect(data.message_id).not.toBe(1)
    expect(data.org_id).not.toBe(999_999)
    expect(Math.abs(Date.parse(data.created_at) - Date.now())).toBeLessThan(60_000)
    expect(data.updated_at).toBe(data.created_at)
  })

  it('again with the same client id makes one row, answers it, and costs nothing of the limit', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    const row = { conversation_id: conversation, content: 'once', client_message_id: randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => send(ada, row).select('message_id,content').single()),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ data }) => data?.message_id)).size).toBe(1)
    const changed = await send(ada, { ...row, content: 'other' })
      .select('content')
      .single()
    expect(changed.data).toEqual({ content: 'once' })
    expect((await send(ada, row)).error).toBeNull()
    // another person's message may carry the same id
    expect((await send(ben, row).select('sender_id').single()).data).toEqual({ sender_id: Number(ben.id) })
    expect((await ben.rest.from('messages').select('content')).data).toHaveLength(2)
  })

  it('takes several at once, all or none', async () => {
    const { ada, conversation } = await conversationOf(office)
    const rows = ['a', 'b', 'c'].map((content) => ({ conversation_id: conversation, content }))
    const mixed = [...rows, { ...rows[0], content: 'd', client_message_id: randomUUID() }]
    const sent = await ada.rest.from('messages').insert(mixed).select('content')
    expect(sent.data?.map(({ content }) => content)).toEqual(['a', 'b', 'c', 'd'])
    const refused = await ada.rest.from('messages').insert(rows)
    expect(refused.error).toMatchObject({ code: 'P0429' })
    expect((await ada.rest.from('messages').select('content')).data).toHaveLength(4)
    expect((await ada.rest.from('messages').insert([]).select()).data).toEqual([])
    const { ada: other, conversation: another } = await conversationOf(office)
    const two = rows.slice(1).map(({ content }) => ({ conversation_id: another, content }))
    expect(await other.rest.from('messages').insert(two).select().single()).toMatchObject({
      status: 406,
      error: { code: 'PGRST116', details: 'The result contains 2 rows' },
    })
    expect((await other.rest.from('messages').select()).data).toEqual([])
    const counting = other.rest.from('messages').insert(two, { count: 'exact' })
    expect(await counting).toMatchObject({ status: 201, count: 2 })
  })

  it.each([
    ['nothing', '', 'A message needs text'],
    ['spaces', '  \t\n ', 'A message needs text'],
    ['spaces of other kinds', '\u00a0\u2003\u3000\u200b\ufeff', 'A message needs text'],
    ['4,001 characters', 'x'.repeat(4_001), 'A message has at most 4,000 characters'],
  ])('refuses %s, in words', async (_name, content, message) => {
    const { ada, conversation } = await conversationOf(office)
    const { status, error } = await send(ada, { conversation_id: conversation, content })
    expect(status).toBe(400)
    expect(error).toMatchObject({ code: '23514', message, details: null, hint: null })
    expect((await ada.rest.from('messages').select()).data).toEqual([])
  })

  it('refuses a message to somebody who is no member any more, until they are again', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    const row = { conversation_id: conversation, content: 'before', client_message_id: randomUUID() }
    expect((await send(ada, row)).status).toBe(201)
    await ada.browser.call('removeMember', { id: ben.id })
    const { status, error } = await send(ada, { conversation_id: conversation, content: 'after' })
    expect(status).toBe(403)
    expect(error).toMatchObject({
      code: 'PT403',
      message: 'The person you write to is no longer a member of this organization',
    })
    // what was said before is still there to be read, and to be sent again without harm
    expect((await send(ada, row)).status).toBe(201)
    expect((await ada.rest.from('messages').select('content')).data).toEqual([{ content: 'before' }])
    await office.database.pool.query(
      `insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
       select org_id, $2, 'member', 'active', now(), now() from conversations where conversation_id = $1
       on conflict (organization_id, user_id) do update set status = 'active'`,
      [conversation, ben.id],
    )
    expect((await send(ada, { conversation_id: conversation, content: 'again' })).status).toBe(201)
  })

  it('takes 4,000 characters of any kind', async () => {
    const { ada, conversation } = await conversationOf(office)
    const content = '🦊'.repeat(4_000)
    const { data } = await send(ada, { conversation_id: conversation, content }).select('content').single()
    expect(data?.content).toBe(content)
  })

  it('counts characters in the composed form, and keeps that', async () => {
    const { ada, conversation } = await conversationOf(office)
    const content = 'e\u0301'.repeat(4_000)
    const { data } = await send(ada, { conversation_id: conversation, content }).select('content').single()
    expect(data?.content).toBe('é'.repeat(4_000))
  })

  it('refuses a parent that is not in this conversation, whether or not it exists', async () => {
    const { ada, conversation } = await conversationOf(office)
    const other = await conversationOf(office)
    const [foreign] = await sendMany(office, other.ada, other.conversation, ['secret'])
    for (const parent of [foreign, 987_654_321]) {
      const { status, error } = await send(ada, {
        conversation_id: conversation,
        content: 'x',
        parent_message_id: parent,
      })
      expect(status).toBe(409)
      expect(error?.code).toBe('23503')
    }
    const { data } = await other.ada.rest.from('messages').select('reply_count').single()
    expect(data).toEqual({ reply_count: 0 })
  })
})

describe('browsers', () => {
  it('of an allowed origin may call with the headers of the client; others may not', async () => {
    const preflight = (origin: string, headers = 'authorization,prefer') =>
      fetch(`${office.baseUrl}/rest/v1/messages`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': headers,
        },
      })
    const allowed = await preflight(new URL(office.office.config.frontendUrl).origin)
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-headers')?.split(', ')).toEqual([
      'authorization',
      'apikey',
      'content-type',
      'prefer',
      'accept-profile',
      'content-profile',
      'range',
    ])
    const origin = new URL(office.office.config.frontendUrl).origin
    // the client names it when it asks again after a 503
    const again = await preflight(origin, 'authorization, X-Retry-Count, x-other')
    expect(again.headers.get('access-control-allow-headers')).toMatch(/range, x-retry-count$/)
    const refused = await fetch(`${office.baseUrl}/rest/v1/messages`, { headers: { origin } })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('access-control-allow-origin')).toBe(origin)
    expect(refused.headers.get('access-control-expose-headers')).toMatch(/retry-after.*content-range/)
    const elsewhere = 'https://elsewhere.example'
    // a preflight is let through so that the refusal behind it can be read
    expect((await preflight(elsewhere)).status).toBe(204)
    const foreign = await fetch(`${office.baseUrl}/rest/v1/messages`, { headers: { origin: elsewhere } })
    expect(foreign.status).toBe(403)
    expect(await foreign.json()).toMatchObject({ message: expect.stringContaining('ALLOWED_ORIGINS') })
  })

  it('are told no other headers for the rest of the office', async () => {
    const answer = await fetch(`${office.baseUrl}/user/get`, {
      method: 'OPTIONS',
      headers: {
        origin: new URL(office.office.config.frontendUrl).origin,
        'access-control-request-method': 'POST',
      },
    })
    expect(answer.headers.get('access-control-allow-headers')).toBe('content-type, idempotency-key')
  })

  it('of people who may not see it learn nothing of a conversation', async () => {
    const { ada, conversation, founder } = await conversationOf(office)
    await sendMany(office, ada, conversation, ['between us'])
    const third = await chatterOf(office, await newMember(office, founder, 'moderator'))
    const stranger = await chatterOf(office, await newFounder(office, 'Elsewhere'))
    for (const outsider of [third, stranger]) {
      const asked = { p_conversation_id: conversation }
      expect(await outsider.rest.rpc('get_conversation_messages', asked)).toMatchObject({
        data: [],
        status: 200,
      })
      expect((await outsider.rest.rpc('get_recent_dms')).data).toEqual([])
      for (const table of ['messages', 'conversations', 'conversation_members'])
        expect((await outsider.rest.from(table).select()).data).toEqual([])
      const sent = await send(outsider, { conversation_id: conversation, content: 'me too' })
      expect(sent).toMatchObject({ status: 403, error: { code: '42501' } })
    }
  })
})
