import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chatter, chatterOf, conversationOf, openGroup } from '../../../../tests/chapters/chat.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'
import { newMember } from '../../../../tests/people.ts'

let scene: ChatScene
let cem: Chatter
let group: number
beforeAll(async () => {
  scene = await openChatScene()
  cem = await chatterOf(scene.office, await newMember(scene.office, scene.founder, 'member'))
  const unlimited = { 'messages-per-conversation': 0, 'messages-per-person': 0 }
  await scene.office.database.pool.query(
    `insert into organization_limits (organization_id, name, value, set_at)
      select o.id, l.key, l.value::bigint, now() from organizations o, jsonb_each_text($2) l where o.identity_organization_id = $1`,
    [scene.founder.organizationId, unlimited],
  )
})
afterAll(() => scene.close())
beforeEach(async () => {
  group = await openGroup(scene.ada, [scene.ben, cem], 'Release')
})

const write = async (from: Chatter, content: string, parentMessageId?: number) =>
  (
    await from.browser.call('sendMessage', {
      ...{ conversationId: group, content },
      ...(parentMessageId === undefined ? {} : { parentMessageId }),
    })
  ).message_id
const threadsOf = async (person: Chatter, input = {}) =>
  (await person.browser.call('listThreads', input)).threads.filter(
    ({ message }) => message.conversation_id === group,
  )

describe('listThreads', () => {
  it('has those that one began, answered or is mentioned in, with what is unread of each', async () => {
    const { ada, ben } = scene
    const [first, second] = [await write(ada, 'first'), await write(ada, 'second')]
    await write(ben, 'one', first)
    await write(ben, 'two', second)
    const last = await write(ben, `three, <@${cem.id}>`, first)
    const seen = async (person: Chatter) =>
      (await threadsOf(person)).map(({ message, unread, replies }) => [message.content, replies, unread])
    expect(await seen(ada)).toEqual([
      ['first', 2, 2],
      ['second', 1, 1],
    ])
    expect(await seen(ben)).toEqual([
      ['first', 2, 0],
      ['second', 1, 0],
    ])
    expect(await seen(cem)).toEqual([['first', 2, 2]])
    await ada.browser.call('deleteMessage', { messageId: first })
    await ada.browser.call('markRead', { conversationId: group, messageId: last })
    expect(await seen(ada)).toEqual([
      ['', 2, 0],
      ['second', 1, 0],
    ])
  })

  it('comes in pages, and answers one that is not followed as well', async () => {
    const { ada, ben } = scene
    const roots: number[] = []
    for (const content of ['a', 'b', 'c']) {
      const root = await write(ada, content)
      await write(ben, 'reply', root)
      roots.push(root)
    }
    const first = await ada.browser.call('listThreads', { limit: 2 })
    expect(first.threads.map(({ message }) => message.message_id)).toEqual([roots[2], roots[1]])
    const next = await ada.browser.call('listThreads', { limit: 2, before: first.before ?? 0 })
    expect(next.threads[0]?.message.message_id).toBe(roots[0])
    const [one] = await threadsOf(cem, { messageId: roots[0] })
    expect(one).toMatchObject({ follows: null, replies: 1, unread: 1 })
    const unanswered = await write(ada, 'd')
    expect(await threadsOf(cem, { messageId: unanswered })).toMatchObject([
      { replies: 0, unread: 0, lastReplyAt: null },
    ])
  })

  it('leaves out what one does not follow any more, whatever is written there', async () => {
    const { ada, ben } = scene
    const root = await write(ada, 'root')
    await write(ben, 'reply', root)
    await ada.browser.call('followThread', { messageId: root, follow: false })
    await write(ben, 'another', root)
    expect(await threadsOf(ada)).toEqual([])
    expect((await threadsOf(ada, { messageId: root }))[0]?.follows).toBe(false)
    await ada.browser.call('followThread', { messageId: root, follow: true })
    expect(await threadsOf(ada)).toMatchObject([{ follows: true, replies: 2 }])
  })

  it('does not know replies, threads of others, and nothing of a conversation that was left', async () => {
    const { ada, ben, office } = scene
    const root = await write(ada, 'root')
    const reply = await write(ben, 'reply', root)
    const ask = (person: Chatter, messageId: number) =>
      person.browser.request('listThreads', { messageId }).then(({ status, body }) => [status, body])
    const gone = [404, expect.objectContaining({ error: 'message-not-found' })]
    expect(await ask(ada, reply)).toEqual(gone)
    expect(await ask((await conversationOf(office)).ada, root)).toEqual(gone)
    await office.database.pool.query('delete from conversation_members where user_id = $1', [ben.id])
    expect(await threadsOf(ben)).toEqual([])
    expect(await ask(ben, root)).toEqual(gone)
  })
})
