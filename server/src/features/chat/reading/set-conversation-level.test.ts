import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conversationOf } from '../../../../tests/chapters/chat.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'

let scene: ChatScene
beforeAll(async () => {
  scene = await openChatScene()
})
afterAll(() => scene.close())

describe('setConversationLevel', () => {
  it('is of the caller alone, and leaves the draft', async () => {
    const { ada, ben, conversation: conversationId } = scene
    const own = await scene.listen(ada)
    await ada.browser.call('setDraft', { conversationId, content: 'Dear' })
    for (const level of ['mentions', 'mentions', 'none'] as const)
      await ada.browser.call('setConversationLevel', { conversationId, level })
    expect(await scene.shownTo(ada)).toMatchObject({ draft: 'Dear', level: 'none' })
    expect(await scene.shownTo(ben)).toMatchObject({ level: 'all' })
    await expect.poll(() => own.heard('conversation.settings')).toHaveLength(3)
    const foreign = await conversationOf(scene.office)
    for (const operation of ['setConversationLevel', 'setDraft'] as const) {
      const input = { conversationId, level: 'none', content: 'x' } as const
      expect(await foreign.ada.browser.request(operation, input)).toMatchObject({
        status: 404,
        body: { error: 'conversation-not-found' },
      })
    }
  })
})
