import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'

let scene: ChatScene
beforeAll(async () => {
  scene = await openChatScene()
})
afterAll(() => scene.close())

describe('setDraft', () => {
  it('keeps a draft for all devices of the one who writes, and nobody else', async () => {
    const { ada, ben, conversation: conversationId } = scene
    const [own, other] = [await scene.listen(ada), await scene.listen(ben)]
    for (const _ of [1, 2]) await ada.browser.call('setDraft', { conversationId, content: 'Dear Ben' })
    expect(await scene.shownTo(ada)).toMatchObject({ draft: 'Dear Ben', level: 'all' })
    expect(await scene.shownTo(ben)).toMatchObject({ draft: '' })
    await expect.poll(() => own.heard('conversation.settings')).toEqual([{ conversationId }])
    expect(other.heard('conversation.settings')).toEqual([])
    await ada.browser.call('setDraft', { conversationId, content: '' })
    expect(await scene.shownTo(ada)).toMatchObject({ draft: '' })
    const long = { conversationId, content: 'x'.repeat(4_001) }
    expect((await ada.browser.request('setDraft', long)).status).toBe(400)
  })
})
