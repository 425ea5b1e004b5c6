import { describe, expect, it, vi } from 'vitest'
import type { MessageRow } from './chat/chat-data.ts'
import { type ChatMessage, withAnswer, withRows, withUnsent } from './chat/message-list.ts'
import { createChat } from './chat.ts'
import type { OutboxItem } from './outbox/outbox.ts'
import type { ReceivedEvent } from './realtime.ts'
import { chatToken, messageRow } from './tests/chat-fixtures.ts'
import { type Answered, type Answers, fakeLive, fakeOffice } from './tests/fake-office.ts'

const row = messageRow

const tokenFor = (userId: number, expiresInSeconds = 3_600) => chatToken({ userId, expiresInSeconds })

function office(answers: Answers = {}) {
  const fake = fakeOffice({
    '/api/v1/realtime/token': () => ({ body: { token: tokenFor(1) } }),
    '/rest/v1/rpc/get_conversations': () => ({ body: [{ conversation_id: 18, unread_count: 2 }] }),
    '/api/v1/chat/messages/list': () => ({ body: { messages: [row(1), row(2)], before: null, after: null } }),
    '/rest/v1/rpc/open_dm': () => ({ body: [{ conversation_id: 18, peer_user_id: 42 }] }),
    '/rest/v1/messages': ({ body }) => ({ body: [row(3, { ...body, sender_id: 1 })] }),
    ...answers,
  })
  return { ...fake, ...fakeLive() }
}

const created = (data: MessageRow) => ({ type: 'message.created', scope: 'user', data }) as ReceivedEvent

describe('a conversation', () => {
  it('is in the list once it is opened, before anything is written in it', async () => {
    const rows = [{ conversation_id: 18, unread_count: 0 }]
    const { client, live } = office({
      '/rest/v1/rpc/get_conversations': () => ({ body: rows }),
      '/rest/v1/rpc/open_dm': () => {
        rows.unshift({ conversation_id: 19, unread_count: 0 })
        return { body: [{ conversation_id: 19, peer_user_id: 43 }] }
      },
    })
    const chat = createChat(client, live)
    await expect.poll(() => chat.conversations.get().loaded).toBe(true)
    await chat.openWith('43')
    await expect
      .poll(() => chat.conversations.get().rows.map(({ conversation_id }) => conversation_id))
      .toEqual([19, 18])
    chat.close()
  })

  it('is read, oldest first, and takes what arrives', async () => {
    const { client, live, emit } = office()
    const chat = createChat(client, live)
    const conversation = await chat.openWith('42')
    await expect.poll(() => conversation.get().loaded).toBe(true)
    emit('event', created(row(3)))
    emit('event', created(row(3)))
    expect(conversation.get().messages.map(({ message_id }) => message_id)).toEqual([1, 2, 3])
    expect(conversation.get().hasOlder).toBe(false)
    chat.close()
  })

  it('shows at once what is sent, once when it is there, also where its event is first', async () => {
    const answer = Promise.withResolvers<void>()
    const { client, asked, live, emit } = office({
      '/rest/v1/messages': async ({ body }) => {
        await answer.promise
        return { body: [row(3, { ...body, sender_id: 1 })] }
      },
    })
    const chat = createChat(client, live)
    const conversation = chat.conversation(18)
    await expect.poll(() => conversation.get().loaded).toBe(true)
    const sent = conversation.send('Lunch?')
    const shown = () => conversation.get().messages.slice(2)
    expect(shown()).toMatchObject([{ content: 'Lunch?', state: 'sending', message_id: undefined }])
    const id = shown()[0]?.client_message_id ?? ''
    await expect.poll(() => asked.at(-1)?.path).toBe('/rest/v1/messages')
    emit('event', created(row(3, { client_message_id: id, sender_id: 1, content: 'Lunch?' })))
    answer.resolve()
    await sent
    expect(shown()).toMatchObject([
      { content: 'Lunch?', state: 'sent', message_id: 3, client_message_id: id },
    ])
    chat.close()
  })

  it('sends again under the same id what could not be sent, when the connection is back', async () => {
    let reachable = false
    const { client, asked, live, emit } = office({
      '/rest/v1/messages': ({ body }) => {
        if (!reachable) throw new TypeError('fetch failed')
        return { body: [row(3, { ...body, sender_id: 1 })] }
      },
    })
    const chat = createChat(client, live)
    const conversation = chat.conversation(18)
    await expect.poll(() => conversation.get().loaded).toBe(true)
    await conversation.send('Lunch?')
    expect(conversation.get().messages.at(-1)).toMatchObject({ state: 'waiting' })
    reachable = true
    emit('state', { state: 'connected', code: 0, reason: '' })
    await expect.poll(() => conversation.get().messages.at(-1)?.state).toBe('sent')
    const ids = asked
      .filter(({ path }) => path.endsWith('/messages'))
      .map(({ body }) => body.client_message_id)
    expect(ids.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(1)
    chat.close()
  })

  it('says why a message is refused, and sends it again when asked', async () => {
    let answer: Answered = { status: 403, body: { code: 'PT403', message: 'No longer a member' } }
    const { client, live } = office({ '/rest/v1/messages': () => answer })
    const chat = createChat(client, live)
    const conversation = chat.conversation(18)
    await expect.poll(() => conversation.get().loaded).toBe(true)
    await conversation.send('Lunch?')
    const refused = conversation.get().messages.at(-1)
    expect(refused).toMatchObject({
      state: 'refused',
      error: { status: 403, error: 'PT403', message: 'No longer a member' },
    })
    const client_message_id = refused?.client_message_id ?? ''
    answer = { body: [row(3, { client_message_id, sender_id: 1 })] }
    await conversation.resend(client_message_id)
    expect(conversation.get().messages.at(-1)).toMatchObject({ state: 'sent', message_id: 3 })
    expect(conversation.get().messages).toHaveLength(3)
    chat.close()
  })

  it('deletes what is refused, when asked', async () => {
    const { client, live } = office({ '/rest/v1/messages': () => ({ status: 400, body: {} }) })
    const chat = createChat(client, live)
    const conversation = chat.conversation(18)
    await expect.poll(() => conversation.get().loaded).toBe(true)
    await conversation.send('Lunch?')
    await conversation.discard(conversation.get().messages.at(-1)?.client_message_id ?? '')
    expect(conversation.get().messages).toHaveLength(2)
    chat.close()
  })

  it('begins anew where what was missed is more than a page', async () => {
    let newest = 60
    const page = (from: number) => Array.from({ length: 50 }, (_, index) => row(from - index))
    const { client, live, emit } = office({
      '/api/v1/chat/messages/list': ({ body }) => {
        const messages = page(body.before === undefined ? newest : Number(body.before) - 1)
          .filter(({ message_id }) => message_id > 0)
          .toReversed()
        const first = messages[0]?.message_id ?? 1
        return { body: { messages, before: first > 1 ? first : null, after: null } }
      },
    })
    const chat = createChat(client, live)
    const conversation = chat.conversation(18)
    const ids = () => conversation.get().messages.map(({ message_id }) => message_id)
    await expect.poll(() => ids().length).toBe(50)
    await conversation.loadOlder()
    expect(ids()).toHaveLength(60)
    expect(conversation.get().hasOlder).toBe(false)
    newest = 500
    emit('gap', { scope: 'user' })
    await expect.poll(() => ids().at(-1)).toBe(500)
    expect(ids()[0]).toBe(451)
    expect(conversation.get().hasOlder).toBe(true)
    chat.close()
  })
})

describe('a token of chat', () => {
  it('is taken once, and anew before it ends', async () => {
    let seconds = 60
    const { client, asked, live } = office({
      '/api/v1/realtime/token': () => ({ body: { token: tokenFor(1, seconds) } }),
    })
    const chat = createChat(client, live)
    const minted = () => asked.filter(({ path }) => path === '/api/v1/realtime/token').length
    await expect.poll(() => chat.conversations.get().loaded).toBe(true)
    seconds = 3_600
    const before = minted()
    await chat.conversations.refresh()
    await chat.conversations.refresh()
    expect(minted()).toBe(before + 1)
    chat.close()
  })

  it.each([40, -40])('is judged by the time of the office, on a machine %i minutes off', async (minutes) => {
    const date = new Date().toUTCString()
    const token = tokenFor(1, 30 * 60)
    const { client, asked, live } = office({
      '/api/v1/realtime/token': () => ({ body: { token }, headers: { date } }),
      '/rest/v1/rpc/get_conversations': () => ({ body: [], headers: { date } }),
    })
    const clock = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => clock + minutes * 60_000)
    const chat = createChat(client, live)
    await expect.poll(() => chat.conversations.get().loaded).toBe(true)
    await chat.conversations.refresh()
    expect(asked.filter(({ path }) => path === '/api/v1/realtime/token')).toHaveLength(1)
    chat.close()
  })

  it('is taken anew, once, where the office takes it no more', async () => {
    let refusals = 1
    const { client, asked, live } = office({
      '/rest/v1/rpc/get_conversations': () =>
        refusals-- > 0 ? { status: 401, body: { code: 'PGRST303', message: 'JWT expired' } } : { body: [] },
    })
    const chat = createChat(client, live)
    await expect.poll(() => chat.conversations.get().loaded).toBe(true)
    expect(asked.filter(({ path }) => path === '/api/v1/realtime/token')).toHaveLength(2)
    refusals = 2
    await chat.conversations.refresh()
    expect(chat.conversations.get().error).toMatchObject({ status: 401 })
    chat.close()
  })
})

it('counts what is unread, and reads again after what changes it', async () => {
  const counts = [2, 0]
  const { client, live, emit } = office({
    '/rest/v1/rpc/get_conversations': () => ({
      body: [{ conversation_id: 18, unread_count: counts.shift() }],
    }),
  })
  const chat = createChat(client, live)
  await expect.poll(() => chat.conversations.get()).toMatchObject({ loaded: true, unread: 2 })
  const read = {
    type: 'conversation.read',
    scope: 'user',
    data: { conversation_id: 18, last_read_message_id: 2 },
  }
  emit('event', read as ReceivedEvent)
  await expect.poll(() => chat.conversations.get().unread).toBe(0)
  chat.close()
})

it('groups and rooms are opened as conversations of two are', async () => {
  const { client, live, asked } = office({
    '/rest/v1/rpc/open_conversation': () => ({ body: [{ conversation_id: 19 }] }),
    '/rest/v1/rpc/open_room_conversation': () => ({
      status: 403,
      body: { code: 'PT403', message: 'This conversation is for those who are or were in the room' },
    }),
  })
  const chat = createChat(client, live)
  expect((await chat.openGroup(['42', '43'], 'Plans')).id).toBe(19)
  expect(asked.find(({ path }) => path.endsWith('open_conversation'))?.body).toEqual({
    p_user_ids: [42, 43],
    p_title: 'Plans',
  })
  await expect(chat.openRoom('r')).rejects.toMatchObject({ status: 403, error: 'PT403' })
  chat.close()
})

describe('a group', () => {
  function groups() {
    let made = 18
    const answer = Promise.withResolvers<void>()
    const fake = office({
      '/rest/v1/rpc/open_conversation': async ({ body }) => {
        await answer.promise
        if (body.p_title === 'Refused') return { status: 429, body: { code: 'P0429', message: 'Too many' } }
        made += 1
        return { body: [{ conversation_id: made }] }
      },
    })
    const chat = createChat(fake.client, fake.live)
    const asked = () => fake.asked.filter(({ path }) => path.endsWith('open_conversation')).length
    return { ...fake, chat, answer: answer.resolve, timesAsked: asked }
  }

  it('is made once, where one is asked for twice before it is there', async () => {
    const { chat, answer, timesAsked } = groups()
    const pressed = [chat.openGroup(['42', '43'], 'Plans'), chat.openGroup(['43', '42'], 'Plans')]
    answer()
    expect((await Promise.all(pressed)).map(({ id }) => id)).toEqual([19, 19])
    expect(timesAsked()).toBe(1)
    // afterwards another one is meant
    expect((await chat.openGroup(['42', '43'], 'Plans')).id).toBe(20)
    chat.close()
  })

  it('of other people, or of another name, is another one', async () => {
    const { chat, answer, timesAsked } = groups()
    const all = [
      chat.openGroup(['42', '43'], 'Plans'),
      chat.openGroup(['42', '43']),
      chat.openGroup(['42', '43', '44'], 'Plans'),
      chat.openGroup(['42', '4344'], 'Plans'),
    ]
    answer()
    expect(new Set((await Promise.all(all)).map(({ id }) => id)).size).toBe(4)
    expect(timesAsked()).toBe(4)
    chat.close()
  })

  it('that was refused can be asked for again', async () => {
    const { chat, answer, timesAsked } = groups()
    answer()
    for (let time = 1; time < 3; time += 1) {
      await expect(chat.openGroup(['42'], 'Refused')).rejects.toMatchObject({ status: 429 })
      expect(timesAsked()).toBe(time)
    }
    chat.close()
  })

  it('that was begun in another organization is not the one that is meant after the switch', async () => {
    const { chat, answer, emit, timesAsked } = groups()
    const before = chat.openGroup(['42', '43'], 'Plans')
    await expect.poll(timesAsked).toBe(1)
    emit('organization', { organizationId: 'org_2' })
    const after = chat.openGroup(['42', '43'], 'Plans')
    answer()
    expect((await before).id).not.toBe((await after).id)
    chat.close()
  })
})

it('a conversation shows who writes, until their message is there', async () => {
  const { client, live, emit } = office()
  const chat = createChat(client, live)
  const conversation = chat.conversation(18)
  const typing = { type: 'conversation.typing', scope: 'user', data: { conversationId: 18, userId: '42' } }
  emit('event', typing as ReceivedEvent)
  await expect.poll(() => conversation.get().loaded).toBe(true)
  expect(conversation.get().typing).toEqual(['42'])
  emit('event', created(row(3)))
  expect(conversation.get().typing).toEqual([])
  chat.close()
})

it('a new answer is counted at what it answers, once', () => {
  const answer = { ...row(3), parent_message_id: 1 }
  const before = withRows([], [{ ...row(1), reply_count: 4 }, row(2)])
  const list = withRows(withAnswer(before, answer), [answer])
  expect(list.map(({ reply_count }) => reply_count)).toEqual([5, 0, 0])
  expect(withAnswer(list, answer)).toBe(list)
  expect(withAnswer(list, row(4))).toBe(list)
})

it('what is not sent yet stands last, until it is among the messages', () => {
  const body = { content: 'Lunch?', parent_message_id: null }
  const item = { id: 'mine', kind: 'message', body, at: 0, state: 'sending' } as unknown as OutboxItem
  const list = withRows([], [row(2), row(1)])
  const idsOf = (messages: readonly ChatMessage[]) => messages.map(({ message_id }) => message_id)
  expect(idsOf(withUnsent(list, [item], 1))).toEqual([1, 2, undefined])
  const sent = withRows(list, [row(3, { client_message_id: 'mine' })])
  expect(idsOf(withUnsent(sent, [item], 1))).toEqual([1, 2, 3])
})
