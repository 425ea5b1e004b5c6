import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { conversationOf, letTimePass, sendMany } from '../../../../tests/chapters/chat.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'

let scene: ChatScene
let ids: number[]
beforeAll(async () => {
  scene = await openChatScene()
  ids = await sendMany(scene.office, scene.ada, scene.conversation, ['1', '2', '3', '4', '5', '6', '7'])
})
afterAll(() => scene.close())
beforeEach(() => letTimePass(scene.office, scene.conversation))

describe('sendMessage', () => {
  it('sends once for a client’s id, and answers as lists show it', async () => {
    const { ada, conversation } = scene
    const input = { conversationId: conversation, content: 'once', clientMessageId: randomUUID() }
    const sent = await Promise.all([1, 2, 3].map(() => ada.browser.call('sendMessage', input)))
    expect(new Set(sent.map(({ message_id }) => message_id)).size).toBe(1)
    const { messages } = await ada.browser.call('listMessages', { conversationId: conversation, limit: 1 })
    expect(messages).toEqual([sent[0]])
  })

  it('is under the rules of the earlier data access', async () => {
    const { ada, ben, founder } = scene
    const own = await conversationOf(scene.office)
    const send = (input: object) =>
      own.ada.browser.request('sendMessage', { conversationId: own.conversation, content: 'x', ...input })
    expect(await send({ content: '\u200b' })).toMatchObject({ status: 400, body: { error: 'invalid-input' } })
    expect(await send({ content: 'x'.repeat(4_001) })).toMatchObject({ status: 400 })
    expect(await send({ parentMessageId: ids[0] as number })).toMatchObject({
      status: 404,
      body: { error: 'message-not-found' },
    })
    expect(await send({ conversationId: scene.conversation })).toMatchObject({
      status: 404,
      body: { error: 'conversation-not-found' },
    })
    const sentence = 'Enter a message of 1 to 4,000 characters'
    for (const content of ['', 'x'.repeat(16_001)])
      expect((await send({ content })).body).toMatchObject({
        details: [{ field: 'content', message: sentence }],
      })
    const statuses: number[] = []
    for (let sent = 0; sent < 5; sent += 1) statuses.push((await send({})).status)
    expect(statuses).toEqual([201, 201, 201, 201, 201])
    const { status, headers, body } = await send({})
    const wait = headers.get('retry-after')
    expect([status, body]).toMatchObject([
      429,
      { message: expect.stringMatching(new RegExp(`^Too many requests; try again in ${wait} seconds?$`)) },
    ])
    expect(['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))).toEqual([
      ...['5', '0', wait],
    ])
    await letTimePass(scene.office, own.conversation)
    await own.founder.browser.call('removeMember', { id: own.ben.id })
    expect(await send({})).toMatchObject({ status: 403, body: { error: 'conversation-closed' } })
    expect([ada.id, ben.id, founder.id]).not.toContain(own.ada.id)
  })
})
