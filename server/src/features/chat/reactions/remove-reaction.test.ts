import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chatter, conversationOf, sendMany } from '../../../../tests/chapters/chat.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'
import type { Listener } from '../../../../tests/listener.ts'

let scene: ChatScene
let listener: Listener
let messageId: number
beforeAll(async () => {
  scene = await openChatScene({ RATE_LIMIT_REACTIONS_PER_USER: '0' })
  listener = await scene.listen(scene.ben)
})
afterAll(() => scene.close())
beforeEach(async () => {
  messageId = (await sendMany(scene.office, scene.ada, scene.conversation, ['Cake?']))[0] as number
})

const react = (person: Chatter, emoji: string) => person.browser.request('addReaction', { messageId, emoji })
const reactionsSeenBy = async (person: Chatter) =>
  (await person.browser.call('listMessages', { conversationId: scene.conversation, limit: 1 })).messages[0]
    ?.reactions

describe('removeReaction', () => {
  it('takes back one’s own alone, and tells nobody of what was not there', async () => {
    const { ada, ben } = scene
    await react(ada, '🎂')
    const remove = (person: Chatter, emoji: string) =>
      person.browser.request('removeReaction', { messageId, emoji })
    expect((await remove(ben, '🎂')).status).toBe(204)
    expect(await reactionsSeenBy(ben)).toMatchObject([{ emoji: '🎂', count: 1 }])
    expect((await remove(ada, '🎂')).status).toBe(204)
    expect(await reactionsSeenBy(ben)).toEqual([])
    await expect.poll(() => listener.heard('reaction.changed')).toHaveLength(2)
    const foreign = await conversationOf(scene.office)
    expect(await remove(foreign.ada, '🎂')).toMatchObject({
      status: 404,
      body: { error: 'message-not-found' },
    })
  })
})
