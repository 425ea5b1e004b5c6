import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Chatter,
  chatterOf,
  conversationOf,
  letTimePass,
  openGroup,
} from '../../../../tests/chapters/chat.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'
import { deleteAccountOf, untilErased } from '../../../../tests/data/erasure-scene.ts'
import type { Listener } from '../../../../tests/listener.ts'
import { auditOf, newMember } from '../../../../tests/people.ts'

let scene: ChatScene
let listener: Listener
beforeAll(async () => {
  scene = await openChatScene()
  listener = await scene.listen(scene.ben)
})
afterAll(() => scene.close())
beforeEach(() => letTimePass(scene.office, scene.conversation))

const send = (
  person: Chatter,
  content: string,
  conversationId = scene.conversation,
  parentMessageId?: number,
) =>
  person.browser.call('sendMessage', {
    conversationId,
    content,
    ...(parentMessageId === undefined ? {} : { parentMessageId }),
  })

describe('deleteMessage', () => {
  it('leaves an empty message with its replies, and takes reactions and mentions along', async () => {
    const { ada, ben, conversation } = scene
    const { message_id: messageId } = await send(ada, `<@${ben.id}> zebra`)
    await ben.browser.call('addReaction', { messageId, emoji: '👍' })
    const reply = await send(ben, 'yes', conversation, messageId)
    expect((await ada.browser.request('deleteMessage', { messageId })).status).toBe(204)
    await expect
      .poll(() => listener.heard('message.deleted'))
      .toEqual([{ messageId, conversationId: conversation, parentMessageId: null }])
    const { messages } = await ben.browser.call('listMessages', { conversationId: conversation })
    expect(messages.find(({ message_id }) => message_id === messageId)).toMatchObject({
      content: '',
      is_deleted: true,
      reactions: [],
      mentions: [],
      reply_count: 1,
    })
    expect(messages.find(({ message_id }) => message_id === reply.message_id)?.parent_message_id).toBe(
      messageId,
    )
    const { data: row } = await ben.rest.from('messages').select().eq('message_id', messageId).single()
    expect(row).toMatchObject({ content: '', is_deleted: true })
    for (const table of ['reactions', 'mentions'])
      expect(
        (await scene.office.database.pool.query(`select from ${table} where message_id = $1`, [messageId]))
          .rows,
      ).toEqual([])
  })

  it('is not unread any more, and the preview is empty', async () => {
    const { ada, ben, conversation } = scene
    const unreadOf = async () => {
      const { conversations } = await ben.browser.call('listConversations')
      const own = conversations.find(({ conversationId }) => conversationId === conversation)
      const { data } = await ben.rest.rpc('get_recent_dms')
      expect(data[0].unread_count).toBe(own?.unread)
      expect(data[0].last_message_content).toBe(own?.lastMessage?.content)
      return { unread: own?.unread, last: own?.lastMessage?.content }
    }
    const { message_id: first } = await send(ada, 'first')
    const before = await unreadOf()
    const { message_id: messageId } = await send(ada, 'second')
    expect(await unreadOf()).toEqual({ unread: Number(before.unread) + 1, last: 'second' })
    await ada.browser.call('deleteMessage', { messageId })
    expect(await unreadOf()).toEqual({ unread: before.unread, last: '' })
    expect(first).toBeLessThan(messageId)
  })

  it('is for authors, and for moderators in groups and rooms, whose deletion is in the audit trail without its text', async () => {
    const { ada, ben, founder } = scene
    const cleo = await chatterOf(scene.office, await newMember(scene.office, founder, 'moderator'))
    const group = await openGroup(ada, [ben, cleo])
    const remove = (person: Chatter, messageId: number) =>
      person.browser.request('deleteMessage', { messageId })
    const { message_id: adas } = await send(ada, 'zebra', group)
    expect(await remove(ben, adas)).toMatchObject({ status: 403, body: { error: 'message-of-another' } })
    expect((await remove(cleo, adas)).status).toBe(204)
    expect(await remove(cleo, adas)).toMatchObject({ status: 404, body: { error: 'message-not-found' } })
    const entries = (await auditOf(founder)).filter(({ action }) => action === 'message.deleted')
    expect(entries).toMatchObject([
      { actor: { id: cleo.id }, target: { id: String(adas) }, detail: { author: ada.id } },
    ])
    expect(JSON.stringify(entries)).not.toContain('zebra')
    // between two people no third one decides
    const { message_id: bens } = await send(ben, 'between us')
    expect((await remove(ada, bens)).status).toBe(403)
    const { message_id: own } = await send(ben, 'own', group)
    expect((await remove(ben, own)).status).toBe(204)
    expect((await auditOf(founder)).filter(({ action }) => action === 'message.deleted')).toHaveLength(1)
  })

  it('of another organization is not there', async () => {
    const { message_id: messageId } = await send(scene.ada, 'here')
    const foreign = await conversationOf(scene.office)
    for (const operation of ['deleteMessage', 'editMessage', 'addReaction', 'followThread'] as const) {
      const input = { messageId, content: 'x', emoji: '👍', follow: true }
      expect(await foreign.ada.browser.request(operation, input as never), operation).toMatchObject({
        status: 404,
        body: { error: 'message-not-found' },
      })
    }
  })
})

describe('messages of an account that is erased', () => {
  it('are told as deleted to open pages, and lose the reactions of others', async () => {
    const { ben, office, founder } = scene
    const gone = await chatterOf(office, await newMember(office, founder, 'member'))
    const conversationId = await openGroup(gone, [ben], 'Old days')
    const { message_id: messageId } = await send(gone, 'text', conversationId)
    await ben.browser.call('addReaction', { messageId, emoji: '👍' })
    await deleteAccountOf(office, gone)
    await untilErased(office, gone.id)
    await expect
      .poll(() => listener.heard('message.deleted'))
      .toContainEqual({ messageId, conversationId, parentMessageId: null })
    const { messages } = await ben.browser.call('listMessages', { conversationId })
    expect(messages).toMatchObject([{ content: '', is_deleted: true, reactions: [] }])
  })
})
