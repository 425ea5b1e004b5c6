import { describe, expect, it } from 'vitest'
import { createChat } from '../chat.ts'
import { createMemoryStore } from '../outbox/memory-store.ts'
import type { ReceivedEvent } from '../realtime.ts'
import { chatToken, messageShown } from '../tests/chat-fixtures.ts'
import { type Answers, fakeLive, fakeOffice } from '../tests/fake-office.ts'
import type { MessageShown } from './chat-data.ts'
import { withReaction } from './reactions.ts'

const shown = (more: Partial<MessageShown> = {}) =>
  messageShown(3, { sender_id: 1, content: 'Lnuch?', ...more })

async function scene(answers: Answers) {
  const fake = fakeOffice({
    '/api/v1/realtime/token': () => ({ body: { token: chatToken() } }),
    '/rest/v1/rpc/get_conversations': () => ({ body: [] }),
    '/api/v1/chat/messages/list': () => ({ body: { messages: [shown()], before: null, after: null } }),
    ...answers,
  })
  const { live, emit } = fakeLive()
  const chat = createChat(fake.client, live, { outbox: createMemoryStore() })
  const conversation = chat.conversation(18)
  await expect.poll(() => conversation.get().loaded).toBe(true)
  await chat.me()
  const message = () => conversation.get().messages[0]
  const hear = (event: object) => emit('event', { scope: 'user', ...event } as ReceivedEvent)
  return { ...fake, chat, conversation, message, hear }
}

/** An answer that the test gives. */
function held() {
  const { promise, resolve } = Promise.withResolvers<object>()
  return { answer: promise.then((body) => ({ body })), give: resolve }
}

describe('an edit', () => {
  it('is shown at once, and as the office has it once it has taken it', async () => {
    const office = held()
    const { conversation, message, chat } = await scene({ '/api/v1/chat/messages/edit': () => office.answer })
    void conversation.edit(3, 'Lunch?')
    await expect.poll(message).toMatchObject({ content: 'Lunch?', is_edited: true, change: { kind: 'edit' } })
    office.give(shown({ content: 'Lunch?', is_edited: true, updated_at: '2026-03-23T11:59:04+00:00' }))
    await expect.poll(() => message()?.change).toBeUndefined()
    expect(message()).toMatchObject({ content: 'Lunch?', is_edited: true })
    chat.close()
  })

  it('that is on its way makes no news of a conversation that is asked for again', async () => {
    const office = held()
    const { conversation, message, chat } = await scene({ '/api/v1/chat/messages/edit': () => office.answer })
    void conversation.edit(3, 'Lunch?')
    await expect.poll(() => message()?.change?.state).toBe('sending')
    const before = conversation.get()
    expect(chat.conversation(18).get()).toBe(before)
    chat.close()
  })

  it('that is refused is shown beside what the office has, until it is dropped', async () => {
    const { conversation, message, chat } = await scene({
      '/api/v1/chat/messages/edit': () => ({
        status: 409,
        body: { error: 'edit-window-over', message: 'too old' },
      }),
    })
    await conversation.edit(3, 'Lunch?')
    await expect
      .poll(message)
      .toMatchObject({ content: 'Lnuch?', change: { state: 'refused', content: 'Lunch?' } })
    await conversation.discard(message()?.change?.id as string)
    expect(message()?.change).toBeUndefined()
    chat.close()
  })

  it('of somebody else arrives by its event, and an older word of it changes nothing', async () => {
    const { message, hear, chat } = await scene({})
    hear({
      type: 'message.updated',
      data: shown({ content: 'new', updated_at: '2026-03-23T12:00:00+00:00' }),
    })
    expect(message()?.content).toBe('new')
    hear({
      type: 'message.updated',
      data: shown({ content: 'old', updated_at: '2026-03-23T11:59:00+00:00' }),
    })
    expect(message()?.content).toBe('new')
    chat.close()
  })
})

describe('a deletion', () => {
  it('is shown at once, and stays where the office has taken it', async () => {
    const { conversation, message, asked, chat } = await scene({
      '/api/v1/chat/messages/delete': () => ({ status: 204 }),
    })
    await conversation.remove(3)
    await expect.poll(message).toMatchObject({ content: '', is_deleted: true })
    expect(asked.filter(({ path }) => path.endsWith('/delete')).map(({ body }) => body)).toEqual([
      { messageId: 3 },
    ])
    await expect.poll(() => message()?.change).toBeUndefined()
    expect(message()).toMatchObject({ content: '', is_deleted: true })
    chat.close()
  })

  it('of somebody else arrives by its event', async () => {
    const { message, hear, chat } = await scene({})
    hear({ type: 'message.deleted', data: { messageId: 3, conversationId: 18, parentMessageId: null } })
    expect(message()).toMatchObject({ content: '', is_deleted: true })
    chat.close()
  })
})

describe('a reaction', () => {
  it('is shown at once, once, and counted as the office counts', async () => {
    const { conversation, message, hear, chat } = await scene({
      '/api/v1/chat/reactions/add': () => ({ status: 204 }),
    })
    await conversation.react(3, '👍', true)
    await expect
      .poll(() => message()?.reactions)
      .toEqual([{ emoji: '👍', count: 1, userIds: ['1'], mine: true }])
    const about = { messageId: 3, conversationId: 18, emoji: '👍', added: true }
    hear({ type: 'reaction.changed', data: { ...about, userId: '1', count: 1 } })
    hear({ type: 'reaction.changed', data: { ...about, userId: '42', count: 2 } })
    expect(message()?.reactions).toEqual([{ emoji: '👍', count: 2, userIds: ['1', '42'], mine: true }])
    hear({ type: 'reaction.changed', data: { ...about, userId: '1', count: 1, added: false } })
    expect(message()?.reactions).toEqual([{ emoji: '👍', count: 1, userIds: ['42'], mine: false }])
    chat.close()
  })

  it('keeps the first twenty names, and goes with the last one', () => {
    let reactions = withReaction([], { emoji: '🦊', userId: '0', added: true }, '0')
    for (let one = 1; one < 30; one += 1)
      reactions = withReaction(reactions, { emoji: '🦊', userId: `${one}`, added: true }, '0')
    expect(reactions[0]).toMatchObject({ count: 30, mine: true })
    expect(reactions[0]?.userIds).toHaveLength(20)
    expect(withReaction(reactions, { emoji: '🦊', userId: '0', added: false, count: 0 }, '0')).toEqual([])
  })
})

describe('what is the caller’s own', () => {
  it('is read when it is asked for first, and again when it changes', async () => {
    const listed = {
      conversationId: 18,
      unread: 2,
      mentioned: 1,
      draft: 'Dear',
      level: 'all',
      lastReadMessageId: 2,
    }
    const { chat, asked, hear } = await scene({
      '/api/v1/chat/conversations/list': () => ({ body: { conversations: [listed], cursor: null } }),
    })
    const times = () => asked.filter(({ path }) => path.endsWith('/conversations/list')).length
    hear({ type: 'conversation.settings', data: { conversationId: 18 } })
    expect(times()).toBe(0)
    await expect.poll(() => chat.choices.get().of.get(18)).toMatchObject({ draft: 'Dear', mentioned: 1 })
    expect(chat.choices.get().mentioned).toBe(1)
    hear({ type: 'conversation.settings', data: { conversationId: 18 } })
    await expect.poll(times).toBe(2)
    chat.close()
  })
})
