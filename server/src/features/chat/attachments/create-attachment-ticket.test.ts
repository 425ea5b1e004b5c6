import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conversationOf } from '../../../../tests/chapters/chat.ts'
import { uploadFile } from '../../../../tests/chapters/chat-files.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'
import { setLimit } from '../../../../tests/chapters/limits.ts'
import { addressAt, put } from '../../../../tests/chapters/uploads.ts'
import { newFounder } from '../../../../tests/people.ts'

let scene: ChatScene
beforeAll(async () => {
  scene = await openChatScene({ CHAT_FILE_BYTES: '9000000', UNFINISHED_UPLOADS: '3' })
})
afterAll(() => scene.close())

const file = (changes: object = {}) => ({
  conversationId: scene.conversation,
  ...{ name: 'notes.txt', contentType: 'text/plain', bytes: 5 },
  ...changes,
})

describe('createAttachmentTicket', () => {
  it('leads to where exactly these bytes go, with this type, for an hour', async () => {
    const { office, ada } = scene
    const { parts, expiresInSeconds } = await ada.browser.call('createAttachmentTicket', file())
    expect(expiresInSeconds).toBe(3_600)
    expect(parts).toMatchObject([{ from: 0, to: 5 }])
    const url = addressAt(office, parts[0]?.url ?? '')
    for (const [bytes, type, status] of [
      ['Note', 'text/plain', 403],
      ['Notes!', 'text/plain', 403],
      ['Notes', 'text/html', 403],
      ['Notes', 'text/plain', 200],
    ] as const)
      expect((await put(url, Buffer.from(bytes), type)).status, `${bytes} as ${type}`).toBe(status)
    office.clock.advance(3_601)
    expect((await put(url, Buffer.from('Notes'), 'text/plain')).status).toBe(403)
  })

  it.each([
    ['../../etc/passwd', '_.._etc_passwd'],
    ['a/b\\c.txt', 'a_b_c.txt'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['\u0000\u0007...\u200b', 'file'],
    ['Ärger.txt', 'Ärger.txt'],
    ['x'.repeat(255), 'x'.repeat(255)],
  ])('keeps of the name %j what can be seen and leads nowhere', async (name, kept) => {
    const { office } = scene
    const own = await conversationOf(office)
    const attachmentId = await uploadFile(office, own.ada, { conversationId: own.conversation, name })
    expect(await own.ada.browser.call('finalizeAttachment', { attachmentId })).toMatchObject({ name: kept })
  })

  it('says in words what is too long, empty or too large', async () => {
    const { ada } = scene
    const refused = async (changes: object) => {
      const { status, body } = await ada.browser.request('createAttachmentTicket', file(changes) as never)
      return [status, (body as { error?: string }).error]
    }
    expect(await refused({ name: '\u202e/'.repeat(150) })).toEqual([400, 'invalid-input'])
    expect(await refused({ name: `a${'\u0300'.repeat(31)}` })).toEqual([400, 'invalid-input'])
    expect(await refused({ bytes: 0 })).toEqual([400, 'invalid-input'])
    expect(await refused({ contentType: 'text/html; charset=utf-8' })).toEqual([400, 'invalid-input'])
    expect(await refused({ bytes: 9_000_001 })).toEqual([413, 'too-large'])
    expect(await refused({ conversationId: 987_654_321 })).toEqual([404, 'conversation-not-found'])
    const stranger = await newFounder(scene.office)
    expect(await stranger.browser.request('createAttachmentTicket', file())).toMatchObject({ status: 404 })
  })

  it('ends where too many are in no message, and begins again the day after', async () => {
    const { office } = scene
    const own = await conversationOf(office)
    const ask = async () =>
      (await own.ada.browser.request('createAttachmentTicket', file({ conversationId: own.conversation })))
        .status
    // many at once find the same places
    const statuses = await Promise.all([1, 2, 3, 4, 5].map(ask))
    expect(statuses.toSorted()).toEqual([200, 200, 200, 429, 429])
    office.clock.advance(24 * 3_600 + 1)
    expect(await ask()).toBe(200)
  })

  it('draws its bytes from the budgets of the person and of the organization', async () => {
    const { office } = scene
    const own = await conversationOf(office)
    const ask = (person: typeof own.ada, bytes: number) =>
      person.browser.request('createAttachmentTicket', file({ conversationId: own.conversation, bytes }))
    await setLimit(office, own.founder, 'file-bytes-per-person', 1_000)
    expect(await ask(own.ada, 1_001)).toMatchObject({ status: 413, body: { error: 'too-large' } })
    expect((await ask(own.ada, 900)).status).toBe(200)
    expect(await ask(own.ada, 200)).toMatchObject({ status: 429, body: { error: 'rate-limited' } })
    expect((await ask(own.ada, 100)).status).toBe(200)
    await setLimit(office, own.founder, 'file-bytes', 1_500)
    expect(await ask(own.ben, 600)).toMatchObject({ status: 429 })
    expect((await ask(own.ben, 400)).status).toBe(200)
  })
})
