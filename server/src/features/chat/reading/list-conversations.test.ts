import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatterOf, conversationOf, openDm, openGroup, sendMany } from '../../../../tests/chapters/chat.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'
import { newMember } from '../../../../tests/people.ts'

let scene: ChatScene
beforeAll(async () => {
  scene = await openChatScene()
})
afterAll(() => scene.close())

describe('listConversations', () => {
  it('pages by the one that moved last, and shows what is of the caller alone', async () => {
    const { ada, ben, founder } = await conversationOf(scene.office)
    const cleo = await chatterOf(scene.office, await newMember(scene.office, founder, 'member'))
    const opened = [
      await openDm(ada, cleo),
      await openGroup(ada, [ben, cleo], 'Spring'),
      await openDm(ben, cleo),
    ]
    for (const conversation of opened) await sendMany(scene.office, cleo, conversation, ['Hello'])
    const seen: number[] = []
    let cursor: string | null | undefined
    do {
      const input = { limit: 1, ...(cursor ? { cursor } : {}) }
      const page = await cleo.browser.call('listConversations', input)
      seen.push(...page.conversations.map(({ conversationId }) => conversationId))
      cursor = page.cursor
    } while (cursor)
    expect(seen).toEqual(opened.toReversed())
    expect(await scene.shownTo(ada, opened[1])).toMatchObject({
      type: 'GROUP',
      title: 'Spring',
      peerUserId: null,
      unread: 1,
      mentioned: 0,
      draft: '',
      level: 'all',
      lastMessage: { content: 'Hello', sender_id: Number(cleo.id) },
    })
    expect(await scene.shownTo(ada, opened[0])).toMatchObject({ type: 'DM', peerUserId: cleo.id })
    expect(await scene.shownTo(ada, opened[2])).toBeUndefined()
    expect((await ada.browser.request('listConversations', { cursor: 'x' })).status).toBe(400)
  })
})
