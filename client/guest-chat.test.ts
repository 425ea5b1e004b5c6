import { expect, it } from 'vitest'
import { createGuestChat } from './guest-chat.ts'
import { fakeOffice } from './tests/fake-office.ts'

const message = (id: number) => ({
  id,
  name: 'Ada',
  mine: false,
  content: `${id}`,
  createdAt: '2026-03-23T09:00:00Z',
})

it('reads what is new, again and again, each message once', async () => {
  const all = [message(1), message(2)]
  const { client, asked } = fakeOffice({
    '/api/v1/rtc/guest/messages/list': ({ body }) => ({
      body: { messages: all.filter(({ id }) => id > ((body as { after?: number }).after ?? 0)) },
    }),
  })
  const chat = createGuestChat(client, 'invite', { everyMs: 1 })
  await expect.poll(() => chat.get().messages.map(({ id }) => id)).toEqual([1, 2])
  all.push(message(3))
  await expect.poll(() => chat.get().messages.map(({ id }) => id)).toEqual([1, 2, 3])
  chat.close()
  const times = asked.length
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(asked.length - times).toBeLessThanOrEqual(1)
})

it('says why it could not be read, and keeps what is known', async () => {
  let isAway = false
  const { client } = fakeOffice({
    '/api/v1/rtc/guest/messages/list': () =>
      isAway
        ? { status: 401, body: { code: 401, error: 'unauthenticated', message: 'No' } }
        : { body: { messages: [message(1)] } },
  })
  const chat = createGuestChat(client, 'invite', { everyMs: 0 })
  await expect.poll(() => chat.get().loaded).toBe(true)
  isAway = true
  await chat.refresh()
  expect(chat.get()).toMatchObject({ messages: [{ id: 1 }], error: { status: 401 } })
  chat.close()
})

it('sends with an id, by which it is there once', async () => {
  const sent: unknown[] = []
  const { client } = fakeOffice({
    '/api/v1/rtc/guest/messages/list': () => ({ body: { messages: [] } }),
    '/api/v1/rtc/guest/messages/send': ({ body }) => {
      sent.push(body)
      return { status: 204, body: undefined }
    },
  })
  const chat = createGuestChat(client, 'invite', { everyMs: 0 })
  await chat.send('Hello')
  expect(sent).toEqual([{ inviteId: 'invite', content: 'Hello', clientMessageId: expect.any(String) }])
  chat.close()
})

it('shows what it has sent until the list has it, also where that is read later', async () => {
  const all: ReturnType<typeof message>[] = []
  const { client } = fakeOffice({
    '/api/v1/rtc/guest/messages/list': ({ body }) => ({
      body: { messages: all.filter(({ id }) => id > ((body as { after?: number }).after ?? 0)) },
    }),
    '/api/v1/rtc/guest/messages/send': () => {
      all.push(message(all.length + 1))
      return { status: 204, body: undefined }
    },
  })
  const chat = createGuestChat(client, 'invite', { everyMs: 0 })
  await expect.poll(() => chat.get().loaded).toBe(true)
  await chat.send('1', 'one')
  await chat.send('2', 'two')
  expect(chat.get()).toMatchObject({ messages: [], sent: [{ clientMessageId: 'one' }, { content: '2' }] })
  await chat.refresh()
  expect(chat.get()).toMatchObject({ messages: [{ id: 1 }, { id: 2 }], sent: [] })
  chat.close()
})

it('shows what was edited as it is, and what was deleted no more', async () => {
  const asked: unknown[] = []
  let changed: { id: number; content: string; isDeleted: boolean }[] = []
  const { client } = fakeOffice({
    '/api/v1/rtc/guest/messages/list': ({ body }) => {
      asked.push(body)
      const messages = asked.length === 1 ? [message(1), message(2), message(3)] : []
      return { body: { messages, changed, asOf: `2026-03-23T09:00:0${asked.length}Z` } }
    },
  })
  const chat = createGuestChat(client, 'invite', { everyMs: 0 })
  await expect.poll(() => chat.get().loaded).toBe(true)
  const [, , kept] = chat.get().messages
  changed = [
    { id: 1, content: 'Other', isDeleted: false },
    { id: 2, content: '', isDeleted: true },
    { id: 7, content: 'Not read yet', isDeleted: false },
  ]
  await chat.refresh()
  expect(chat.get().messages).toMatchObject([{ id: 1, content: 'Other' }, { id: 3 }])
  expect(chat.get().messages[1]).toBe(kept)
  await chat.refresh()
  expect(asked).toEqual([
    { inviteId: 'invite' },
    { inviteId: 'invite', after: 3, changedSince: '2026-03-23T09:00:01Z' },
    { inviteId: 'invite', after: 3, changedSince: '2026-03-23T09:00:02Z' },
  ])
  chat.close()
})
