import type { EventData } from '@atrium/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chatter, conversationOf, letTimePass, openGroup } from '../../../../tests/chapters/chat.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'
import { setLimit } from '../../../../tests/chapters/limits.ts'
import type { Listener } from '../../../../tests/listener.ts'

let scene: ChatScene
let listener: Listener
beforeAll(async () => {
  scene = await openChatScene()
  listener = await scene.listen(scene.ben)
})
afterAll(() => scene.close())
beforeEach(() => letTimePass(scene.office, scene.conversation))

const send = (person: Chatter, content: string, conversationId = scene.conversation) =>
  person.browser.call('sendMessage', { conversationId, content })

describe('editMessage', () => {
  it('changes one’s own message for everybody, and keeps nothing of the text of before', async () => {
    const { ada, ben, conversation } = scene
    const sent = await send(ada, 'Lnuch at twelve, zebra?')
    const edited = await ada.browser.call('editMessage', { messageId: sent.message_id, content: 'Lunch?' })
    expect(edited).toMatchObject({ content: 'Lunch?', is_edited: true, message_id: sent.message_id })
    expect(edited.editedAt).not.toBeNull()
    expect(Date.parse(edited.updated_at)).toBeGreaterThan(Date.parse(sent.updated_at))
    await expect
      .poll(() => listener.heard('message.updated'))
      .toEqual([expect.objectContaining({ message_id: sent.message_id, content: 'Lunch?', reactions: [] })])
    const { data: row } = await ben.rest.from('messages').select().eq('message_id', sent.message_id).single()
    expect(row).toMatchObject({ content: 'Lunch?', is_edited: true })
    const { rows: list } = (await ben.rest.rpc('get_recent_dms')) as unknown as { rows: unknown }
    expect(list).toBeUndefined()
    const { rows } = await scene.office.database.pool.query(
      `select from messages m where to_jsonb(m)::text like '%zebra%' and conversation_id = $1`,
      [conversation],
    )
    expect(rows).toEqual([])
  })

  it('tells whom it mentions anew', async () => {
    const { ada, ben } = scene
    const { message_id } = await send(ada, 'Lunch?')
    const edit = (content: string) => ada.browser.call('editMessage', { messageId: message_id, content })
    await edit(`Lunch, <@${ben.id}>?`)
    await edit(`Lunch, <@${ben.id}> and <@room>?`)
    await edit('Lunch at one?')
    const added = () =>
      (listener.heard('message.updated') as EventData<'message.updated'>[])
        .filter((told) => told.message_id === message_id)
        .map(({ mentions, mentionsAdded }) => [mentions, mentionsAdded])
    await expect.poll(added).toEqual([
      [[ben.id], [ben.id]],
      [[ben.id], ['room']],
      [[], []],
    ])
  })

  it('refuses what somebody else wrote, what is not there, and what says nothing', async () => {
    const { ada, ben } = scene
    const { message_id: messageId } = await send(ada, 'mine')
    const edit = (person: Chatter, id: number, content = 'x') =>
      person.browser.request('editMessage', { messageId: id, content })
    expect(await edit(ben, messageId)).toMatchObject({ status: 403, body: { error: 'message-of-another' } })
    expect(await edit(ada, 987_654_321)).toMatchObject({ status: 404, body: { error: 'message-not-found' } })
    expect(await edit(ada, messageId, '\u200b')).toMatchObject({ status: 400 })
    const foreign = await conversationOf(scene.office)
    expect(await edit(foreign.ada, messageId)).toMatchObject({ status: 404 })
  })

  it('says when it was changed meanwhile, where the caller says what is known of it', async () => {
    const { ada } = scene
    const { message_id: messageId, updated_at: updatedAt } = await send(ada, 'one')
    const first = await ada.browser.call('editMessage', { messageId, content: 'two', updatedAt })
    const late = await ada.browser.request('editMessage', { messageId, content: 'three', updatedAt })
    expect(late).toMatchObject({ status: 409, body: { error: 'changed-meanwhile' } })
    const known = { messageId, content: 'three', updatedAt: first.updated_at }
    expect((await ada.browser.call('editMessage', known)).content).toBe('three')
    expect((await ada.browser.call('editMessage', { messageId, content: 'four' })).content).toBe('four')
  })

  it('is of one of two at once, the last one', async () => {
    const { ada } = scene
    const { message_id: messageId } = await send(ada, 'begin')
    const edits = await Promise.all(
      ['a', 'b', 'c', 'd'].map((content) => ada.browser.call('editMessage', { messageId, content })),
    )
    const last = edits.toSorted((one, other) => Date.parse(other.updated_at) - Date.parse(one.updated_at))[0]
    const { messages } = await ada.browser.call('listMessages', {
      conversationId: scene.conversation,
      limit: 1,
    })
    expect(messages[0]?.content).toBe(last?.content)
  })

  it('ends where the limit of the organization says', async () => {
    const { ada, founder } = scene
    const { message_id: messageId } = await send(ada, 'old')
    await letTimePass(scene.office, scene.conversation, 3_600)
    expect((await ada.browser.call('editMessage', { messageId, content: 'older' })).content).toBe('older')
    await setLimit(scene.office, founder, 'edit-minutes', 30)
    for (const [operation, input] of [
      ['editMessage', { messageId, content: 'oldest' }],
      ['deleteMessage', { messageId }],
    ] as const)
      expect(await ada.browser.request(operation, input as never)).toMatchObject({
        status: 409,
        body: { error: 'edit-window-over' },
      })
    await setLimit(scene.office, founder, 'edit-minutes', 0)
  })

  it('mentions by ids, members alone, and everybody where a moderator says so', async () => {
    const { ada, ben, conversation } = scene
    const stranger = (await conversationOf(scene.office)).ada
    const sent = await send(ada, `<@${ben.id}> and <@${stranger.id}> and <@${ben.id}>`)
    expect(sent.mentions).toEqual([ben.id])
    const mentionedOf = async (person: Chatter) =>
      (await person.browser.call('listConversations')).conversations.find(
        ({ conversationId }) => conversationId === conversation,
      )?.mentioned
    expect(await mentionedOf(ben)).toBe(1)
    const edited = await ada.browser.call('editMessage', { messageId: sent.message_id, content: 'nobody' })
    expect(edited.mentions).toEqual([])
    expect(await mentionedOf(ben)).toBe(0)
    const all = await send(ada, '<@room> come')
    expect(all).toMatchObject({ mentions: [], mentionsRoom: true })
    expect(await mentionedOf(ben)).toBe(1)
    // who is no moderator says it in vain
    expect((await send(ben, '<@room> come')).mentionsRoom).toBeUndefined()
    const many = Array.from({ length: 500 }, (_, at) => `<@${at + 1}>`).join('')
    const refused = await ada.browser.request('editMessage', { messageId: all.message_id, content: many })
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'A message mentions at most 50 people' },
    })
  })

  it('is of groups as of two', async () => {
    const { ada, ben } = scene
    const group = await openGroup(ada, [ben], 'Spring')
    const { message_id: messageId } = await send(ben, 'spring', group)
    expect((await ben.browser.call('editMessage', { messageId, content: 'summer' })).content).toBe('summer')
  })
})
