import { expect, it } from 'vitest'
import { createChat } from '../chat.ts'
import { createMemoryStore } from '../outbox/memory-store.ts'
import type { ReceivedEvent } from '../realtime.ts'
import { chatToken, messageShown } from '../tests/chat-fixtures.ts'
import { fakeLive, fakeOffice } from '../tests/fake-office.ts'

const LAST = 300
const PAGE = 50

const row = (id: number) => messageShown(id, { sender_id: 2 })

/** A conversation of 300 messages, as the office pages it. */
async function scene() {
  const fake = fakeOffice({
    '/api/v1/realtime/token': () => ({ body: { token: chatToken() } }),
    '/rest/v1/rpc/get_conversations': () => ({ body: [] }),
    '/api/v1/chat/messages/list': ({ body: { before, after, around } }) => {
      const from = Math.max(
        1,
        around
          ? Number(around) - PAGE / 2
          : after
            ? Number(after) + 1
            : before
              ? Number(before) - PAGE
              : LAST - PAGE + 1,
      )
      const to = Math.min(LAST, from + PAGE - 1)
      const messages = Array.from({ length: to - from + 1 }, (_, at) => row(from + at))
      return { body: { messages, before: from > 1 ? from : null, after: to < LAST ? to : null } }
    },
  })
  const { live, emit } = fakeLive()
  const chat = createChat(fake.client, live, { outbox: createMemoryStore() })
  const conversation = chat.conversation(18)
  await expect.poll(() => conversation.get().loaded).toBe(true)
  const ids = () => conversation.get().messages.map(({ message_id }) => message_id)
  const hear = (event: object) => emit('event', { scope: 'user', ...event } as ReceivedEvent)
  return { ...fake, chat, conversation, ids, hear }
}

it('an earlier place is shown in the place of the newest, and leads back without a hole', async () => {
  const { conversation, ids, hear, chat } = await scene()
  await conversation.showAround(100)
  expect(conversation.get()).toMatchObject({ hasOlder: true, hasNewer: true })
  expect([ids()[0], ids().at(-1)]).toEqual([75, 124])

  hear({ type: 'message.created', data: row(LAST + 1) })
  expect(ids()).not.toContain(LAST + 1)
  hear({ type: 'message.updated', data: { ...row(100), content: 'new', updated_at: '2026-03-24T00:00:00Z' } })
  expect(conversation.get().messages.find(({ message_id }) => message_id === 100)?.content).toBe('new')

  await conversation.loadNewer()
  expect([ids()[0], ids().at(-1)]).toEqual([75, 174])
  for (let turn = 0; turn < 3; turn += 1) await conversation.loadNewer()
  expect(ids().at(-1)).toBe(LAST)
  expect(conversation.get().hasNewer).toBe(false)
  hear({ type: 'message.created', data: row(LAST + 1) })
  expect(ids().at(-1)).toBe(LAST + 1)
  chat.close()
})

it('the newest are shown again at once', async () => {
  const { conversation, ids, chat } = await scene()
  await conversation.showAround(100)
  await conversation.refresh()
  expect(ids()[0]).toBe(75)
  await conversation.showNewest()
  expect([ids()[0], ids().at(-1)]).toEqual([251, LAST])
  expect(conversation.get()).toMatchObject({ hasNewer: false, hasOlder: true, loaded: true })
  chat.close()
})

it('what is there already is not read again', async () => {
  const { conversation, asked, chat } = await scene()
  const before = asked.length
  await conversation.showAround(LAST)
  expect(asked.length).toBe(before)
  chat.close()
})
