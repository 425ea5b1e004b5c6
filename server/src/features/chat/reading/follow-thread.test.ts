import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMany } from '../../../../tests/chapters/chat.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'

let scene: ChatScene
beforeAll(async () => {
  scene = await openChatScene()
})
afterAll(() => scene.close())

describe('followThread', () => {
  it('is of the message that a thread began with', async () => {
    const { ada, ben, conversation } = scene
    const [root] = (await sendMany(scene.office, ada, conversation, ['root'])) as [number]
    const reply = await ada.browser.call('sendMessage', {
      conversationId: conversation,
      content: 'reply',
      parentMessageId: root,
    })
    for (const follow of [true, true, false])
      expect((await ben.browser.request('followThread', { messageId: root, follow })).status).toBe(204)
    const { rows } = await scene.office.database.pool.query(
      'select user_id, follows from thread_follows order by user_id',
    )
    // ada has begun it
    expect(rows).toEqual([
      { user_id: ada.id, follows: true },
      { user_id: ben.id, follows: false },
    ])
    const onReply = { messageId: reply.message_id, follow: true }
    expect((await ben.browser.request('followThread', onReply)).status).toBe(404)
  })
})
