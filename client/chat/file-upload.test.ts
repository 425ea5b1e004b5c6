import { expect, it } from 'vitest'
import { createChat } from '../chat.ts'
import { createMemoryStore } from '../outbox/memory-store.ts'
import { chatToken } from '../tests/chat-fixtures.ts'
import { type Answers, fakeLive, fakeOffice } from '../tests/fake-office.ts'

const plan = { id: '311', name: 'plan.txt', contentType: 'text/plain', bytes: 10 }

/** An office that gives two addresses for a file of ten bytes. */
function office(answers: Answers) {
  const part = (number: number) => `http://store.example/part/${number}`
  const parts = [
    { url: part(1), from: 0, to: 6 },
    { url: part(2), from: 6, to: 10 },
  ]
  const fake = fakeOffice({
    '/api/v1/realtime/token': () => ({ body: { token: chatToken() } }),
    '/rest/v1/rpc/get_conversations': () => ({ body: [] }),
    '/api/v1/chat/messages/list': () => ({ body: { messages: [], before: null, after: null } }),
    '/api/v1/chat/attachments/ticket': () => ({
      body: { attachmentId: '311', parts, expiresInSeconds: 3_600 },
    }),
    '/part/1': () => ({}),
    '/part/2': () => ({}),
    '/api/v1/chat/attachments/finalize': () => ({ body: plan }),
    ...answers,
  })
  const { live } = fakeLive()
  const chat = createChat(fake.client, live, { outbox: createMemoryStore() })
  const paths = (of: RegExp) => fake.asked.map(({ path }) => path).filter((path) => of.test(path))
  return { ...fake, chat, conversation: chat.conversation(18), paths }
}

const file = { name: 'plan.txt', blob: new Blob(['0123456789'], { type: 'text/plain;charset=utf-8' }) }

it('goes on with the part that was cut off, and sends none twice that has come', async () => {
  let times = 0
  const { chat, conversation, paths, asked } = office({
    '/part/2': () => {
      times += 1
      if (times === 1) throw new TypeError('fetch failed')
      return times === 2 ? { status: 503 } : {}
    },
  })
  let waited = 0
  expect(await conversation.upload(file, { onWaiting: () => void waited++ })).toEqual(plan)
  expect(paths(/part/)).toEqual(['/part/1', '/part/2', '/part/2', '/part/2'])
  expect(waited).toBe(2)
  const ticket = asked.find(({ path }) => path.endsWith('ticket'))
  expect(ticket?.body).toEqual({ conversationId: 18, name: 'plan.txt', contentType: 'text/plain', bytes: 10 })
  chat.close()
})

it('waits for an office that is away as it begins, and as it ends', async () => {
  let asked = 0
  const away = (answer: () => object) => () => {
    asked += 1
    if (asked % 2 === 1) throw new TypeError('fetch failed')
    return answer()
  }
  const { chat, conversation, paths } = office({
    '/api/v1/chat/attachments/ticket': away(() => ({
      body: {
        attachmentId: '311',
        parts: [{ url: 'http://store.example/part/1', from: 0, to: 10 }],
        expiresInSeconds: 3_600,
      },
    })),
    '/api/v1/chat/attachments/finalize': away(() => ({ body: plan })),
  })
  let waited = 0
  expect(await conversation.upload(file, { onWaiting: () => void waited++ })).toEqual(plan)
  expect(paths(/attachments|part/).map((path) => path.split('/').at(-1))).toEqual([
    ...['ticket', 'ticket', '1'],
    ...['finalize', 'finalize'],
  ])
  expect(waited).toBe(2)
  chat.close()
})

it('is given up where it is asked to, and says what the office or the store refuses', async () => {
  const over = new AbortController()
  const lost = office({
    '/part/1': () => {
      over.abort(new Error('given up'))
      throw new TypeError('fetch failed')
    },
  })
  await expect(lost.conversation.upload(file, { signal: over.signal })).rejects.toThrow('given up')
  expect(lost.paths(/part|finalize/)).toEqual(['/part/1'])
  const refusing = office({ '/part/1': () => ({ status: 403 }) })
  await expect(refusing.conversation.upload(file)).rejects.toMatchObject({ status: 403 })
  const body = { code: 400, message: 'This file is not what its type says', error: 'file-type-differs' }
  const differing = office({ '/api/v1/chat/attachments/finalize': () => ({ status: 400, body }) })
  await expect(differing.conversation.upload(file)).rejects.toMatchObject({ error: 'file-type-differs' })
  for (const { chat } of [lost, refusing, differing]) chat.close()
})

it('is sent with a message, shown at once, and once over lost answers', async () => {
  let times = 0
  const { chat, conversation, asked, paths } = office({
    '/api/v1/chat/messages/send': ({ body }) => {
      times += 1
      if (times === 1) throw new TypeError('fetch failed')
      const row = { message_id: 5, conversation_id: 18, sender_id: 1, content: 'plan.txt', updated_at: '1' }
      return { body: { ...row, client_message_id: body.clientMessageId, attachments: [plan] } }
    },
  })
  await expect.poll(() => conversation.get().loaded).toBe(true)
  void conversation.send('', { attachments: [plan] })
  expect(conversation.get().messages).toMatchObject([{ content: '', attachments: [plan] }])
  await expect.poll(() => times).toBe(1)
  await conversation.resend(conversation.get().messages[0]?.client_message_id ?? '')
  await expect
    .poll(() => conversation.get().messages)
    .toMatchObject([{ message_id: 5, content: 'plan.txt', attachments: [plan], state: 'sent' }])
  const sent = asked.filter(({ path }) => path.endsWith('messages/send')).map(({ body }) => body)
  expect(sent[1]).toEqual(sent[0])
  expect(sent[0]).toMatchObject({ conversationId: 18, attachmentIds: ['311'] })
  expect(sent[0]).not.toHaveProperty('content')
  expect(paths(/rest.*messages$/)).toEqual([])
  chat.close()
})

it('keeps the files of each message that is being written, until they are closed', async () => {
  const { chat, conversation } = office({})
  const [message, answer] = [conversation.openUploads(), conversation.openUploads('thread')]
  message.add([new File(['0123456789'], 'plan.txt')])
  await expect.poll(() => message.get()).toMatchObject([{ state: 'ready' }])
  expect(conversation.openUploads()).toBe(message)
  expect(conversation.openUploads('thread')).toBe(answer)
  expect(answer.get()).toEqual([])
  message.close()
  expect(conversation.openUploads().get()).toEqual([])
  conversation.openUploads().add([new File(['0123456789'], 'plan.txt')])
  const left = conversation.openUploads()
  chat.close()
  expect(left.get()).toEqual([])
})

it('asks for a long name by its beginning and its end, and by whole characters', async () => {
  const { chat, conversation, asked } = office({})
  for (const name of [`${'a'.repeat(300)}.pdf`, `${'a'.repeat(254)}😀`])
    await conversation.upload({ ...file, name })
  const names = asked
    .filter(({ path }) => path.endsWith('ticket'))
    .map(({ body }) => (body as typeof plan).name)
  expect(names).toEqual([`${'a'.repeat(251)}.pdf`, 'a'.repeat(254)])
  chat.close()
})
