import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conversationOf } from '../../../../tests/chapters/chat.ts'
import { finishedFile, removeReplaced, uploadFile } from '../../../../tests/chapters/chat-files.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'
import { purgeAttachmentsJob } from './jobs.ts'

const DAY = 24 * 60 * 60
const options = { contentType: 'text/plain', cacheControl: 'no-store' }

let scene: ChatScene
beforeAll(async () => {
  scene = await openChatScene()
})
afterAll(() => scene.close())

const run = async () => {
  const { needs, clock } = scene.office.office
  await purgeAttachmentsJob({ db: needs.db, clock }).run(new AbortController().signal)
}
const keyOf = async (attachmentId: string) => {
  const { rows } = await scene.office.database.pool.query<{ key: string }>(
    'select object_key as key from attachments where attachment_id = $1',
    [attachmentId],
  )
  return rows[0]?.key
}
const isStored = async (key: string | undefined) =>
  key !== undefined && (await scene.office.office.uploads.storage.find(key)) !== undefined

describe('files', () => {
  it('that are in no message are removed a day after their ticket, and others are not', async () => {
    const { office, ada, conversation } = scene
    const sent = await finishedFile(office, ada, { conversationId: conversation })
    await ada.browser.call('sendMessage', { conversationId: conversation, attachmentIds: [sent] })
    const waiting = await finishedFile(office, ada, { conversationId: conversation })
    const unfinished = await uploadFile(office, ada, { conversationId: conversation })
    const keys = await Promise.all([sent, waiting].map(keyOf))
    await run()
    expect(await keyOf(waiting)).toBe(keys[1])
    office.clock.advance(DAY + 60)
    await run()
    await removeReplaced(office)
    expect(await Promise.all([sent, waiting, unfinished].map(keyOf))).toEqual([keys[0], undefined, undefined])
    expect(await Promise.all(keys.map(isStored))).toEqual([true, false])
  })

  it('of a deleted organization stay as long as it can be brought back', async () => {
    const { office } = scene
    const { ada, founder, conversation } = await conversationOf(office)
    const sent = await finishedFile(office, ada, { conversationId: conversation })
    await ada.browser.call('sendMessage', { conversationId: conversation, attachmentIds: [sent] })
    const key = await keyOf(sent)
    await founder.browser.call('deleteOrganization', { organizationId: founder.organizationId })
    await run()
    expect(await isStored(key)).toBe(true)
    office.clock.advance(31 * DAY)
    await run()
    await removeReplaced(office)
    expect(await isStored(key)).toBe(false)
  })

  it('that no row names are swept, and no others', async () => {
    const { office } = scene
    const { ada, conversation } = await conversationOf(office)
    const kept = await finishedFile(office, ada, { conversationId: conversation })
    await ada.browser.call('sendMessage', { conversationId: conversation, attachmentIds: [kept] })
    const key = (await keyOf(kept)) as string
    const { storage, jobs = [] } = office.office.uploads
    const orphan = `attachments/1/${crypto.randomUUID()}`
    const all = [orphan, `${orphan}.webp`, key, `${key}.webp`]
    for (const each of all) if (each !== key) await storage.write(each, new Uint8Array(1), options)
    office.clock.advance(2 * 60 * 60)
    await jobs.find(({ name }) => name === 'sweep-uploads')?.run(new AbortController().signal)
    expect(await Promise.all(all.map(isStored))).toEqual([false, false, true, true])
  })
})
