import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chatter, sendMany } from '../../../../tests/chapters/chat.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'
import { setLimit } from '../../../../tests/chapters/limits.ts'
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

describe('addReaction', () => {
  it('is seen by everybody with who it was of, once of a kind by a person', async () => {
    const { ada, ben, conversation } = scene
    for (const person of [ada, ada, ben]) expect((await react(person, '🎂')).status).toBe(204)
    await react(ben, '👍🏽')
    expect(await reactionsSeenBy(ada)).toEqual([
      { emoji: '🎂', count: 2, userIds: [ada.id, ben.id], mine: true },
      { emoji: '👍🏽', count: 1, userIds: [ben.id], mine: false },
    ])
    await ben.browser.call('removeReaction', { messageId, emoji: '🎂' })
    await ben.browser.call('removeReaction', { messageId, emoji: '🎂' })
    expect((await reactionsSeenBy(ben))?.[0]).toEqual({
      emoji: '🎂',
      count: 1,
      userIds: [ada.id],
      mine: false,
    })
    const about = { messageId, conversationId: conversation }
    await expect
      .poll(() => listener.heard('reaction.changed'))
      .toEqual([
        { ...about, emoji: '🎂', count: 1, userId: ada.id, added: true },
        { ...about, emoji: '🎂', count: 2, userId: ben.id, added: true },
        { ...about, emoji: '👍🏽', count: 1, userId: ben.id, added: true },
        { ...about, emoji: '🎂', count: 1, userId: ben.id, added: false },
      ])
  })

  it.each([
    ['❤️', 204],
    ['👨‍👩‍👧‍👦', 204],
    ['🇩🇪', 204],
    ['1️⃣', 204],
    ['a', 400],
    ['👍👍', 400],
    ['<b>', 400],
    ['🇩', 400],
    ['\u200d', 400],
    ['👍'.repeat(20), 400],
  ])('takes one emoji of the standard: %s', async (emoji, status) => {
    expect((await react(scene.ada, emoji)).status).toBe(status)
  })

  it('has twenty kinds on a message', async () => {
    const { ada, ben } = scene
    const kinds = Array.from({ length: 20 }, (_, at) => String.fromCodePoint(0x1f600 + at))
    for (const emoji of kinds) expect((await react(ada, emoji)).status).toBe(204)
    expect(await react(ben, '🦊')).toMatchObject({ status: 409, body: { error: 'too-many-reactions' } })
    expect((await react(ben, kinds[0] as string)).status).toBe(204)
  })

  it('has a limit for a person and minute', async () => {
    const { ada, ben, founder } = scene
    await setLimit(scene.office, founder, 'reactions-per-person', 2)
    expect((await react(ben, '🦊')).status).toBe(204)
    // what is taken back was given all the same
    await ben.browser.call('removeReaction', { messageId, emoji: '🦊' })
    expect((await react(ben, '🦊')).status).toBe(204)
    const refused = await react(ben, '🐼')
    expect(refused).toMatchObject({ status: 429, body: { error: 'rate-limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await react(ada, '🐼')).status).toBe(204)
    await setLimit(scene.office, founder, 'reactions-per-person', 0)
  })
})
