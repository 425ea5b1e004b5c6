import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, chatterOf, conversationOf, openGroup } from '../../../tests/chapters/chat.ts'
import { finishedFile } from '../../../tests/chapters/chat-files.ts'
import { newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

/** A conversation that takes nothing more, with a message and a file of before. */
interface Closed {
  person: Chatter
  conversationId: number
  close(): Promise<unknown>
  message: string
}

async function ofRoom(): Promise<Closed> {
  const founder = await newFounder(office)
  const person = await chatterOf(office, await newMember(office, founder, 'member'))
  const { id: roomId } = await newRoom(founder)
  await office.database.pool.query(
    `insert into media_participants (sid, organization_id, room_sid, room_id, identity, user_id, counts, waits,
       joined_at, counted)
     select 'PA_' || id, organization_id, 'RM_test', id, $2::text, $2::text::bigint, true, false, now(), true
     from rooms where id = $1`,
    [roomId, person.id],
  )
  const { data } = await person.rest.rpc('open_room_conversation', { p_room_id: roomId }).single()
  const { conversation_id: conversationId } = data as { conversation_id: number }
  const close = () => founder.browser.call('deleteRoom', { roomId })
  return { person, conversationId, close, message: 'This room has been deleted' }
}

async function ofTwo(): Promise<Closed> {
  const { ada, ben, conversation, founder } = await conversationOf(office)
  const close = () => founder.browser.call('removeMember', { id: ben.id })
  const message = 'The person you write to is no longer a member of this organization'
  return { person: ada, conversationId: conversation, close, message }
}

describe.each([
  ['of a room that is deleted', ofRoom],
  ['with a person who is no member any more', ofTwo],
])('a conversation %s', (_name, make) => {
  async function closed() {
    const { person, conversationId, close, message } = await make()
    const { browser } = person
    const sent = await browser.call('sendMessage', { conversationId, content: 'before' })
    const messageId = sent.message_id
    await browser.call('addReaction', { messageId, emoji: '🎂' })
    const attachmentId = await finishedFile(office, person, { conversationId })
    await close()
    return { browser, conversationId, messageId, attachmentId, message }
  }

  it('takes nothing more: it is refused as a message is', async () => {
    const { browser, conversationId, messageId, attachmentId, message } = await closed()
    const file = { name: 'a.txt', contentType: 'text/plain', bytes: 5 }
    const answers = {
      message: await browser.request('sendMessage', { conversationId, content: 'after' }),
      withFile: await browser.request('sendMessage', {
        ...{ conversationId, content: 'after', attachmentIds: [attachmentId] },
      }),
      edit: await browser.request('editMessage', { messageId, content: 'after' }),
      reaction: await browser.request('addReaction', { messageId, emoji: '👍' }),
      file: await browser.request('createAttachmentTicket', { conversationId, ...file }),
      typing: await browser.request('tellTyping', { conversationId }),
    }
    for (const [what, answer] of Object.entries(answers))
      expect(answer, what).toMatchObject({ status: 403, body: { error: 'conversation-closed', message } })
  })

  it('can be read, and one’s own can be taken back', async () => {
    const { browser, conversationId, messageId } = await closed()
    const { messages } = await browser.call('listMessages', { conversationId, limit: 1 })
    expect(messages).toMatchObject([{ content: 'before', reactions: [{ emoji: '🎂' }] }])
    const statuses = [
      await browser.request('markRead', { conversationId, messageId }),
      await browser.request('setDraft', { conversationId, content: 'never sent' }),
      await browser.request('removeReaction', { messageId, emoji: '🎂' }),
      await browser.request('deleteMessage', { messageId }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([204, 204, 204, 204])
  })
})

it('a group that others have left is open', async () => {
  const founder = await newFounder(office)
  const ada = await chatterOf(office, founder)
  const [ben, cleo] = [await newMember(office, founder, 'member'), await newMember(office, founder, 'member')]
  const conversationId = await openGroup(ada, [ben, cleo])
  await founder.browser.call('removeMember', { id: ben.id })
  expect((await ada.browser.request('tellTyping', { conversationId })).status).toBe(204)
})
