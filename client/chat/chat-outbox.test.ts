import { expect, it } from 'vitest'
import { createChat } from '../chat.ts'
import { createMemoryStore } from '../outbox/memory-store.ts'
import type { ReceivedEvent } from '../realtime.ts'
import { chatToken } from '../tests/chat-fixtures.ts'
import { type Answers, fakeLive, fakeOffice } from '../tests/fake-office.ts'

const tokenOf = (userId: number, organization = 7) => chatToken({ userId, organization })

/** An office that takes messages, and loses the answers that the test names. */
function office(lose: (time: number) => boolean, more: Answers = {}) {
  const taken = new Map<string, object>()
  const marks: unknown[] = []
  const now = { userId: 1 }
  let times = 0
  const fake = fakeOffice({
    '/api/v1/realtime/token': () => ({ body: { token: tokenOf(now.userId) } }),
    '/rest/v1/rpc/get_conversations': () => ({ body: [{ conversation_id: 18, unread_count: 2 }] }),
    '/api/v1/chat/messages/list': () => ({ body: { messages: [], before: null, after: null } }),
    '/rest/v1/rpc/update_read_cursor': ({ body }) => {
      if (lose(++times)) throw new TypeError('fetch failed')
      marks.push(body.p_last_read_message_id)
      return { body: {} }
    },
    '/rest/v1/messages': ({ body }) => {
      const id = String(body.client_message_id)
      const row = taken.get(id) ?? { ...body, message_id: taken.size + 1, sender_id: now.userId }
      taken.set(id, row)
      // the work is done, and its answer does not arrive
      if (lose(++times)) throw new TypeError('fetch failed')
      return { body: [row] }
    },
    ...more,
  })
  const contents = () => [...taken.values()].map((row) => (row as { content: string }).content)
  return { ...fake, ...fakeLive(), now, marks, contents }
}

const connected = { state: 'connected', code: 0, reason: '' } as const

it('seven messages are there once and in order, whichever answers are lost', async () => {
  const { client, live, emit, contents } = office((time) => [1, 2, 4, 7].includes(time))
  const chat = createChat(client, live, { outbox: createMemoryStore() })
  const conversation = chat.conversation(18)
  await expect.poll(() => conversation.get().loaded).toBe(true)
  const texts = ['1', '2', '3', '4', '5', '6', '7']
  for (const text of texts) void conversation.send(text)
  expect(conversation.get().messages.map(({ content }) => content)).toEqual(texts)
  for (let time = 0; time < 8; time += 1) {
    emit('state', connected)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await expect
    .poll(() => conversation.get().messages.map(({ state }) => state))
    .toEqual(Array(7).fill('sent'))
  expect(contents()).toEqual(texts)
  expect(conversation.get().messages.map(({ content }) => content)).toEqual(texts)
  chat.close()
})

it('a message that no connection tells of is sent by a timer', async () => {
  const { client, live, contents } = office((time) => time === 1)
  const chat = createChat(client, live, { outbox: createMemoryStore() })
  const conversation = chat.conversation(18)
  await conversation.send('Lunch?')
  expect(conversation.get().messages.at(-1)).toMatchObject({ state: 'waiting' })
  await expect.poll(() => conversation.get().messages.at(-1)?.state).toBe('sent')
  expect(contents()).toEqual(['Lunch?'])
  chat.close()
})

it('what was not sent is shown again after a reload, and sent', async () => {
  const outbox = createMemoryStore()
  let isAway = true
  const { client, live, contents } = office(() => isAway)
  const before = createChat(client, live, { outbox })
  await before.conversation(18).send('Lunch?')
  before.close()
  const after = createChat(client, live, { outbox })
  const conversation = after.conversation(18)
  await expect.poll(() => conversation.get().messages).toMatchObject([{ content: 'Lunch?', sender_id: 1 }])
  isAway = false
  await expect.poll(() => conversation.get().messages).toMatchObject([{ content: 'Lunch?', state: 'sent' }])
  expect(contents()).toEqual(['Lunch?'])
  after.close()
})

it('nothing is sent in the name of another person who has signed in in this browser', async () => {
  const outbox = createMemoryStore()
  let isAway = true
  const { client, live, now, emit, contents, asked } = office(() => false, {
    '/rest/v1/rpc/get_conversations': () =>
      isAway ? { status: 401, body: { code: 'PGRST303' } } : { body: [] },
  })
  const chat = createChat(client, live, { outbox })
  const conversation = chat.conversation(18)
  await expect.poll(() => conversation.get().loaded).toBe(true)
  // the cookie is Ben's from now on, and so is every token that is minted
  now.userId = 2
  await chat.conversations.refresh()
  await conversation.send('of Ada')
  expect(conversation.get().messages.at(-1)).toMatchObject({ state: 'waiting' })
  emit('state', connected)
  await expect.poll(() => conversation.get().messages.at(-1)?.state).toBe('waiting')
  expect(contents()).toEqual([])
  expect(asked.filter(({ path }) => path === '/rest/v1/messages')).toEqual([])
  chat.close()
  isAway = false
  now.userId = 1
  const again = createChat(client, live, { outbox })
  await expect.poll(contents).toEqual(['of Ada'])
  again.close()
})

it('a read mark that was lost is sent again, the furthest alone, and never back', async () => {
  const { client, live, emit, marks } = office((time) => time === 1)
  const chat = createChat(client, live, { outbox: createMemoryStore() })
  const conversation = chat.conversation(18)
  await conversation.markRead(3)
  await conversation.markRead(5)
  await conversation.markRead(9)
  await conversation.markRead(4)
  emit('state', connected)
  await expect.poll(() => marks).toEqual([9])
  chat.close()
})

it('is empty after a switch of the organization: what was written waits for the one before', async () => {
  const outbox = createMemoryStore()
  const { client, live, emit, contents, now } = office(() => true)
  const chat = createChat(client, live, { outbox })
  await chat.conversation(18).send('Lunch?')
  now.userId = 3
  emit('organization', { organizationId: 'org_2' })
  await expect.poll(() => chat.outbox.get().items).toEqual([])
  expect(await outbox.listOf('1')).toHaveLength(1)
  expect(contents()).toEqual(['Lunch?'])
  chat.close()
})

it('an event of one’s own message takes the place of what waits', async () => {
  const { client, live, emit } = office(() => true)
  const chat = createChat(client, live, { outbox: createMemoryStore() })
  const conversation = chat.conversation(18)
  await conversation.send('Lunch?')
  const { client_message_id = '' } = conversation.get().messages.at(-1) ?? {}
  const data = { message_id: 1, conversation_id: 18, sender_id: 1, client_message_id, content: 'Lunch?' }
  emit('event', { type: 'message.created', scope: 'user', data } as unknown as ReceivedEvent)
  expect(conversation.get().messages).toMatchObject([{ message_id: 1, state: 'sent' }])
  emit('state', connected)
  await expect.poll(() => conversation.get().messages).toMatchObject([{ message_id: 1, state: 'sent' }])
  chat.close()
})
