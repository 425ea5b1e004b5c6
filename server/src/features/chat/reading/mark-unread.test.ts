import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMany } from '../../../../tests/chapters/chat.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'

let scene: ChatScene
beforeAll(async () => {
  scene = await openChatScene()
})
afterAll(() => scene.close())

describe('markRead and markUnread', () => {
  it('move the cursor forward, and back to before a message', async () => {
    const { ada, ben, conversation: conversationId } = scene
    const ids = await sendMany(scene.office, ada, conversationId, ['1', '2', `<@${ben.id}> 3`, '4'])
    const own = await scene.listen(ben)
    await ben.browser.call('markRead', { conversationId, messageId: ids[3] as number })
    expect(await scene.shownTo(ben)).toMatchObject({ unread: 0, mentioned: 0, lastReadMessageId: ids[3] })
    await ben.browser.call('markUnread', { conversationId, messageId: ids[2] as number })
    expect(await scene.shownTo(ben)).toMatchObject({ unread: 2, mentioned: 1, lastReadMessageId: ids[1] })
    await expect
      .poll(() => own.heard('conversation.unread'))
      .toEqual([{ conversationId, lastReadMessageId: ids[1], unread: 2, mentioned: 1 }])
    // already unread there
    await ben.browser.call('markUnread', { conversationId, messageId: ids[3] as number })
    expect(own.heard('conversation.unread')).toHaveLength(1)
    const { data } = await ben.rest.rpc('get_recent_dms')
    expect(data[0].unread_count).toBe(2)
    for (const operation of ['markRead', 'markUnread'] as const) {
      const unknown = { conversationId, messageId: 987_654_321 }
      expect(await ben.browser.request(operation, unknown)).toMatchObject({
        status: 404,
        body: { error: 'message-not-found' },
      })
    }
  })
})
