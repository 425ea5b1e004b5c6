import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Chatter,
  chatterOf,
  conversationOf,
  letTimePass,
  openGroup,
} from '../../../../tests/chapters/chat.ts'
import { finishedFile, removeReplaced } from '../../../../tests/chapters/chat-files.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'
import { picture, shownAt, untilImagesAreChecked } from '../../../../tests/chapters/uploads.ts'
import { deleteAccountOf, untilErased } from '../../../../tests/data/erasure-scene.ts'
import type { Listener } from '../../../../tests/listener.ts'
import { newMember } from '../../../../tests/people.ts'

let scene: ChatScene
let listener: Listener
beforeAll(async () => {
  scene = await openChatScene()
  listener = await scene.listen(scene.ben)
  await untilImagesAreChecked(scene.office)
})
afterAll(() => scene.close())
beforeEach(() => letTimePass(scene.office, scene.conversation))

const addressOf = async (person: Chatter, attachmentId: string, preview = false) =>
  (await person.browser.call('getAttachment', { attachmentId, preview })).url
const statusOf = async (person: Pick<Chatter, 'browser'>, attachmentId: string) =>
  (await person.browser.request('getAttachment', { attachmentId })).status
const isStored = async (url: string) => (await shownAt(scene.office, url)).status === 200

describe('getAttachment', () => {
  it('leads to a file to be kept, in which nothing is run, for five minutes', async () => {
    const { office, ada, ben, conversation } = scene
    const bytes = Buffer.from('<script>alert(1)</script>')
    const name = 'Seite "eins" — ü.html'
    const attachmentId = await finishedFile(office, ada, {
      ...{ conversationId: conversation, name, contentType: 'text/html', bytes },
    })
    await ada.browser.call('sendMessage', { conversationId: conversation, attachmentIds: [attachmentId] })
    const url = await addressOf(ben, attachmentId)
    const response = await shownAt(office, url)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="Seite _eins_ _ _\.html"; filename\*=UTF-8''/,
      ),
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    for (const changed of [url.replace('name=', 'name=x'), `${url}&shown=1`])
      expect((await shownAt(office, changed)).status).toBe(403)
    office.clock.advance(301)
    expect((await shownAt(office, url)).status).toBe(403)
  })

  it('leads to a small picture without what the large one carries, to be shown', async () => {
    const { office, ada, ben, conversation } = scene
    const bytes = await sharp(await picture('jpeg', 2_000, 1_000))
      .jpeg()
      .withExif({ IFD0: { ImageDescription: 'at home' } })
      .toBuffer()
    const attachmentId = await finishedFile(office, ada, {
      ...{ conversationId: conversation, name: 'photo.jpg', contentType: 'image/jpeg', bytes },
    })
    const { attachments } = await ada.browser.call('sendMessage', {
      ...{ conversationId: conversation, content: 'Look', attachmentIds: [attachmentId] },
    })
    expect(attachments).toMatchObject([
      { id: attachmentId, width: 2_000, height: 1_000, bytes: bytes.length },
    ])
    const response = await shownAt(office, await addressOf(ben, attachmentId, true))
    expect(response.headers.get('content-disposition')).toBe('inline')
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const small = await sharp(await response.arrayBuffer()).metadata()
    expect(small).toMatchObject({ format: 'webp', width: 960, height: 480 })
    expect(small.exif).toBeUndefined()
    const other = await finishedFile(office, ada, { conversationId: conversation })
    const none = await ada.browser.request('getAttachment', { attachmentId: other, preview: true })
    expect(none).toMatchObject({ status: 404, body: { error: 'attachment-not-found' } })
  })

  it('is for whoever may read the message now; what is not sent is its uploader’s alone', async () => {
    const { office, ada, ben, founder } = scene
    const cleo = await chatterOf(office, await newMember(office, founder, 'member'))
    const group = await openGroup(ada, [ben, cleo])
    const attachmentId = await finishedFile(office, ada, { conversationId: group })
    expect(await statusOf(ada, attachmentId)).toBe(200)
    expect(await statusOf(ben, attachmentId)).toBe(404)
    await ada.browser.call('sendMessage', { conversationId: group, attachmentIds: [attachmentId] })
    for (const person of [ada, ben, cleo]) expect(await statusOf(person, attachmentId)).toBe(200)
    const outsider = await newMember(office, founder, 'admin')
    const foreign = await conversationOf(office)
    for (const person of [outsider, foreign.ada]) expect(await statusOf(person, attachmentId)).toBe(404)
    await founder.browser.call('removeMember', { id: cleo.id })
    expect(await statusOf(cleo, attachmentId)).not.toBe(200)
  })
})

describe('a message with files', () => {
  it('shows them in lists, events and searches, and has their names where it has no text', async () => {
    const { office, ada, ben, conversation } = scene
    const upload = (name: string) => finishedFile(office, ada, { conversationId: conversation, name })
    const ids = [await upload('zebra-b.txt'), await upload('zebra-a.txt')]
    const clientMessageId = crypto.randomUUID()
    const input = { conversationId: conversation, attachmentIds: ids, clientMessageId }
    const sent = await ada.browser.call('sendMessage', input)
    expect(sent.content).toBe('zebra-b.txt, zebra-a.txt')
    expect(sent.attachments.map(({ id }) => id)).toEqual(ids)
    // the answer was lost, and it is sent again
    expect(await ada.browser.call('sendMessage', input)).toEqual(sent)
    await expect
      .poll(() => listener.heard('message.created').at(-1))
      .toMatchObject({ content: sent.content, attachments: sent.attachments })
    const { messages } = await ben.browser.call('listMessages', { conversationId: conversation, limit: 1 })
    expect(messages[0]?.attachments).toEqual(sent.attachments)
    await ada.browser.call('sendMessage', { conversationId: conversation, content: 'zebra without' })
    const found = async (has?: 'file') =>
      (await ben.browser.call('searchMessages', { query: 'zebra', ...(has ? { has } : {}) })).hits.length
    expect([await found(), await found('file')]).toEqual([2, 1])
    const { data } = await ben.rest.from('messages').select().eq('message_id', sent.message_id).single()
    expect(Object.keys(data)).not.toContain('attachments')
    expect((await ben.rest.from('attachments').select()).error).toMatchObject({ code: '42501' })
  })

  it('takes only finished files of its author, for this conversation, of no other message', async () => {
    const { office, ada, ben, founder, conversation } = scene
    const send = (person: Chatter, conversationId: number, attachmentIds: string[], content = 'x') =>
      person.browser.request('sendMessage', { conversationId, content, attachmentIds })
    const refused = { status: 404, body: { error: 'attachment-not-found' } }
    const asked = { conversationId: conversation, name: 'a', contentType: 'text/plain', bytes: 5 }
    const { attachmentId: unfinished } = await ada.browser.call('createAttachmentTicket', asked)
    const good = await finishedFile(office, ada, { conversationId: conversation })
    const cleo = await chatterOf(office, await newMember(office, founder, 'member'))
    const group = await openGroup(ada, [ben, cleo])
    expect(await send(ada, conversation, [unfinished])).toMatchObject(refused)
    expect(await send(ada, conversation, [good, '987654321'])).toMatchObject(refused)
    expect(await send(ada, group, [good])).toMatchObject(refused)
    expect(await send(ben, conversation, [good])).toMatchObject(refused)
    expect(
      await ben.browser.request('sendMessage', { conversationId: conversation, attachmentIds: [good] }),
    ).toMatchObject(refused)
    expect(await ada.browser.request('sendMessage', { conversationId: conversation })).toMatchObject({
      status: 400,
    })
    expect((await send(ada, conversation, [good])).status).toBe(201)
    expect(await send(ada, conversation, [good])).toMatchObject(refused)
    // nothing of it stays for the next message on the same connection
    expect(
      (await ada.browser.call('sendMessage', { conversationId: conversation, content: 'y' })).attachments,
    ).toEqual([])
  })

  it('is not sent a second time in a message that was deleted meanwhile', async () => {
    const { office, ada, conversation: conversationId } = scene
    const attachmentIds = [await finishedFile(office, ada, { conversationId })]
    const message = { conversationId, attachmentIds, clientMessageId: randomUUID() }
    const { message_id: messageId } = await ada.browser.call('sendMessage', message)
    await ada.browser.call('deleteMessage', { messageId })
    const again = await ada.browser.call('sendMessage', message)
    expect(again).toMatchObject({ message_id: messageId, is_deleted: true })
  })

  it('takes them along when it is deleted, by age too, and with its author', async () => {
    const { office, founder } = scene
    const ada = await chatterOf(office, await newMember(office, founder, 'member'))
    const ben = await chatterOf(office, await newMember(office, founder, 'member'))
    const group = await openGroup(ada, [ben])
    const sendFile = async () => {
      const attachmentId = await finishedFile(office, ada, { conversationId: group })
      const { message_id: messageId } = await ada.browser.call('sendMessage', {
        ...{ conversationId: group, attachmentIds: [attachmentId] },
      })
      return { messageId, attachmentId, url: await addressOf(ben, attachmentId) }
    }
    const [deleted, old, ofErased, stays] = [
      await sendFile(),
      await sendFile(),
      await sendFile(),
      await sendFile(),
    ]
    const waiting = await finishedFile(office, ada, { conversationId: group })
    await ada.browser.call('deleteMessage', { messageId: deleted.messageId })
    await office.database.pool.query('delete from messages where message_id = $1', [old.messageId])
    await removeReplaced(office)
    expect(await Promise.all([deleted, old, ofErased, stays].map(({ url }) => isStored(url)))).toEqual([
      ...[false, false, true, true],
    ])
    for (const { attachmentId } of [deleted, old]) expect(await statusOf(ben, attachmentId)).toBe(404)
    await deleteAccountOf(office, ada)
    await untilErased(office, ada.id)
    await removeReplaced(office)
    expect(await Promise.all([ofErased, stays].map(({ url }) => isStored(url)))).toEqual([false, false])
    const { rows } = await office.database.pool.query(
      'select from attachments where user_id = $1 or attachment_id = $2',
      [ada.id, waiting],
    )
    expect(rows).toEqual([])
  })
})
