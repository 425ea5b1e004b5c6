import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMany } from '../../../../tests/chapters/chat.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'

let scene: ChatScene
beforeAll(async () => {
  scene = await openChatScene()
})
afterAll(() => scene.close())

describe('markRead', () => {
  it('goes forward, as the earlier data access does', async () => {
    const { ada, ben, conversation: conversationId } = scene
    const ids = await sendMany(scene.office, ada, conversationId, ['1', '2', '3'])
    const own = await scene.listen(ben)
    for (const messageId of [ids[1], ids[0]] as number[])
      await ben.browser.call('markRead', { conversationId, messageId })
    expect(await scene.shownTo(ben)).toMatchObject({ unread: 1, lastReadMessageId: ids[1] })
    await expect
      .poll(() => own.heard('conversation.read'))
      .toEqual([{ conversation_id: conversationId, last_read_message_id: ids[1] }])
    const { data } = await ben.rest.rpc('get_recent_dms')
    expect(data[0].unread_count).toBe(1)
    expect(await ben.browser.request('markRead', { conversationId, messageId: 987_654_321 })).toMatchObject({
      status: 404,
      body: { error: 'message-not-found' },
    })
  })
})
