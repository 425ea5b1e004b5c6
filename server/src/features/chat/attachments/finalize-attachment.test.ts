import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeReplaced, uploadFile } from '../../../../tests/chapters/chat-files.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'
import { picture, untilImagesAreChecked } from '../../../../tests/chapters/uploads.ts'

let scene: ChatScene
beforeAll(async () => {
  scene = await openChatScene({ UNFINISHED_UPLOADS: '1000' })
  await untilImagesAreChecked(scene.office)
})
afterAll(() => scene.close())

const finish = async (bytes: Uint8Array, contentType: string, name = 'a.bin') => {
  const attachmentId = await uploadFile(scene.office, scene.ada, {
    ...{ conversationId: scene.conversation, name, contentType, bytes },
  })
  return await scene.ada.browser.request('finalizeAttachment', { attachmentId })
}

describe('finalizeAttachment', () => {
  it('answers what the file is, and the same again', async () => {
    const { ada, conversation, office } = scene
    const attachmentId = await uploadFile(office, ada, { conversationId: conversation })
    const all = await Promise.all(
      [1, 2, 3].map(() => ada.browser.call('finalizeAttachment', { attachmentId })),
    )
    const shown = { id: attachmentId, name: 'notes.txt', contentType: 'text/plain', bytes: 5 }
    expect(all).toEqual([shown, shown, shown])
    expect(await ada.browser.call('finalizeAttachment', { attachmentId })).toEqual(shown)
    const { rows } = await office.database.pool.query<{ key: string }>(
      'select object_key as key from attachments where attachment_id = $1',
      [attachmentId],
    )
    const { storage } = office.office.uploads
    const key = rows[0]?.key ?? ''
    expect(await storage.find(key)).toMatchObject({ sizeBytes: 5, contentType: 'text/plain' })
    expect(await storage.find(key.replace('attachments/', 'tmp/files/'))).toBeUndefined()
  })

  it('comes to the same where another call has finished it between two steps', async () => {
    const { ada, conversation, office } = scene
    const attachmentId = await uploadFile(office, ada, { conversationId: conversation })
    const { storage } = office.office.uploads
    const find = storage.find.bind(storage)
    let isFirst = true
    storage.find = async (key) => {
      if (isFirst && key.startsWith('tmp/files/')) {
        isFirst = false
        await ada.browser.call('finalizeAttachment', { attachmentId })
      }
      return await find(key)
    }
    const late = ada.browser.call('finalizeAttachment', { attachmentId }).finally(() => {
      storage.find = find
    })
    expect(await late).toMatchObject({ id: attachmentId, bytes: 5 })
    expect(await ada.browser.call('finalizeAttachment', { attachmentId })).toEqual(await late)
  })

  it.each([
    [
      'a picture',
      async () => picture('png', 300, 200),
      'image/png',
      { contentType: 'image/png', width: 300, height: 200 },
    ],
    [
      'a picture of another kind',
      async () => picture('webp', 64),
      'image/png',
      { contentType: 'image/webp', width: 64, height: 64 },
    ],
    [
      'a picture that ends too early',
      async () => (await picture('png', 64)).subarray(0, 90),
      'image/png',
      { contentType: 'image/png' },
    ],
    [
      'a page',
      async () => Buffer.from('<!doctype html><script>1</script>'),
      'text/html',
      { contentType: 'text/plain' },
    ],
    [
      'a drawing with a script',
      async () => Buffer.from('<svg onload="x()"/>'),
      'image/svg+xml',
      { contentType: 'text/plain' },
    ],
    ['a table', async () => Buffer.from('a,b\n1,2\n'), 'text/csv', { contentType: 'text/csv' }],
    [
      'a document',
      async () => Buffer.from('PK\x03\x04rest'),
      'application/vnd.oasis.opendocument.text',
      { contentType: 'application/vnd.oasis.opendocument.text' },
    ],
    [
      'a ZIP that is called a film',
      async () => Buffer.from('PK\x03\x04rest'),
      'video/mp4',
      { contentType: 'application/zip' },
    ],
    [
      'bytes',
      async () => Buffer.from([0, 1, 2, 255]),
      'text/html',
      { contentType: 'application/octet-stream' },
    ],
  ] as const)('calls %s what it is', async (_, bytes, said, shown) => {
    const { status, body } = await finish(await bytes(), said)
    expect(status).toBe(200)
    expect(body).toMatchObject(shown)
    if (!('width' in shown)) expect(body).not.toHaveProperty('width')
  })

  it('refuses what is called a picture and is none, and keeps nothing of it', async () => {
    const { ada, conversation, office } = scene
    for (const bytes of [Buffer.from('PK\x03\x04rest'), Buffer.from('<svg/>'), deflateSync('x')]) {
      const file = { conversationId: conversation, contentType: 'image/png', bytes }
      const attachmentId = await uploadFile(office, ada, file)
      const refused = () => ada.browser.request('finalizeAttachment', { attachmentId })
      expect(await refused()).toMatchObject({ status: 400, body: { error: 'file-type-differs' } })
      expect(await refused()).toMatchObject({ status: 404, body: { error: 'attachment-not-found' } })
    }
    await removeReplaced(office)
    const { rows } = await office.database.pool.query(`select from replaced_images where key like '%files%'`)
    expect(rows).toEqual([])
  })

  it('waits for the bytes, and is of whoever uploads them', async () => {
    const { ada, ben, conversation, office } = scene
    const asked = { conversationId: conversation, name: 'a', contentType: 'text/plain', bytes: 5 }
    const { attachmentId } = await ada.browser.call('createAttachmentTicket', asked)
    const early = await ada.browser.request('finalizeAttachment', { attachmentId })
    expect(early).toMatchObject({ status: 404, body: { error: 'upload-not-found' } })
    const own = await uploadFile(office, ada, { conversationId: conversation })
    const foreign = await ben.browser.request('finalizeAttachment', { attachmentId: own })
    expect(foreign).toMatchObject({ status: 404, body: { error: 'attachment-not-found' } })
    expect((await ada.browser.request('finalizeAttachment', { attachmentId: own })).status).toBe(200)
  })
})

describe('the check of files', () => {
  /** The part of a scanner: of the text that every scanner knows it says no. */
  const scanner = async () => {
    const names: string[] = []
    let isUp = true
    const server = createServer(async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString()
      names.push(decodeURIComponent(String(request.headers['file-name'])))
      if (!isUp) response.writeHead(503).end()
      else if (text.includes('EICAR-STANDARD-ANTIVIRUS-TEST-FILE')) response.writeHead(422).end()
      else response.writeHead(204).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const setUp = (up: boolean) => {
      isUp = up
    }
    return { url, names, server, setUp }
  }

  it('sees each file before it can be sent: what it refuses is gone, and what it cannot look at waits', async () => {
    const check = await scanner()
    const own = await openChatScene({ FILE_CHECK_URL: check.url })
    try {
      const finalize = async (text: string, name: string) => {
        const file = { conversationId: own.conversation, name, bytes: Buffer.from(text) }
        const attachmentId = await uploadFile(own.office, own.ada, file)
        return { attachmentId, ...(await own.ada.browser.request('finalizeAttachment', { attachmentId })) }
      }
      expect((await finalize('Notes', 'Ä.txt')).status).toBe(200)
      expect(
        await finalize('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*', 'b'),
      ).toMatchObject({
        status: 400,
        body: { error: 'file-refused' },
      })
      expect(check.names).toEqual(['Ä.txt', 'b'])
      check.setUp(false)
      const { status, attachmentId } = await finalize('Notes', 'c')
      expect(status).toBe(503)
      check.setUp(true)
      expect((await own.ada.browser.request('finalizeAttachment', { attachmentId })).status).toBe(200)
    } finally {
      await own.close()
      check.server.close()
    }
  })
})
