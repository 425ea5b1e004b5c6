import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { ProviderFailure } from '../../platform/refusal.ts'
import { Secret } from '../../platform/secrets/secret.ts'
import { type S3Storage, s3Storage } from './s3-storage.ts'

/** A store that knows of uploads in parts and of nothing else; the real ones are tried by `npm run test:engines s3`. */
async function partsStore({ pageOf = 1_000 } = {}) {
  const open = new Map<string, Buffer[]>()
  const objects = new Map<string, Buffer>()
  const answers: string[] = []
  let refuses = false
  const answer = async (
    request: IncomingMessage,
  ): Promise<{ status?: number; body?: string; etag?: string }> => {
    const { method, url = '' } = request
    const { searchParams, pathname } = new URL(url, 'http://store')
    const body = Buffer.concat(await request.toArray())
    const upload = searchParams.get('uploadId')
    const key = pathname.replace('/files/', '')
    if (method === 'GET' && upload !== null) {
      const parts = open.get(upload)
      if (!parts) return { status: 404, body: '<Error><Code>NoSuchUpload</Code></Error>' }
      const listed = parts.map(
        ({ length }, at) =>
          `<Part><PartNumber>${at + 1}</PartNumber><ETag>"${at}"</ETag><Size>${length}</Size></Part>`,
      )
      return { body: `<ListPartsResult>${listed.join('')}</ListPartsResult>` }
    }
    if (method === 'GET') {
      const from = searchParams.get('upload-id-marker') ?? ''
      const behind = [...open.keys()].sort().filter((id) => id > from)
      const page = behind.slice(0, pageOf)
      const listed = page.map(
        (id) =>
          `<Upload><Key>exports/1/a.gz</Key><UploadId>${id}</UploadId><Initiated>2026-03-23T12:00:00.000Z</Initiated></Upload>`,
      )
      const isTruncated = behind.length > pageOf
      const next = `<NextKeyMarker>exports/1/a.gz</NextKeyMarker><NextUploadIdMarker>${page.at(-1)}</NextUploadIdMarker>`
      return {
        body: `<ListMultipartUploadsResult><IsTruncated>${isTruncated}</IsTruncated>${isTruncated ? next : ''}${listed.join('')}</ListMultipartUploadsResult>`,
      }
    }
    if (method === 'POST' && searchParams.has('uploads')) {
      const id = `upload-${answers.length}`
      open.set(id, [])
      return {
        body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      }
    }
    if (method === 'PUT' && upload === null) objects.set(key, body)
    if (method === 'PUT' && upload !== null) {
      if (refuses) return { status: 400, body: '<Error><Code>InvalidPart</Code></Error>' }
      open.get(upload)?.push(body)
      return { etag: `"${open.get(upload)?.length}"` }
    }
    if (method === 'POST' && upload !== null) {
      objects.set(key, Buffer.concat(open.get(upload) ?? []))
      open.delete(upload)
      return { body: '<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>' }
    }
    if (method === 'DELETE') open.delete(upload ?? '')
    return { etag: '"1"' }
  }
  const server = createServer(async (request, response) => {
    answers.push(
      `${request.method} ${new URL(request.url ?? '', 'http://store').search.replaceAll(/=[^&]*/g, '')}`,
    )
    const { status = 200, body = '', etag } = await answer(request)
    response.writeHead(status, { 'content-type': 'application/xml', ...(etag ? { etag } : {}) }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const storage = s3Storage({
    endpoint: `http://127.0.0.1:${port}`,
    ...{ region: 'us-east-1', bucket: 'files', accessKeyId: 'key' },
    secretAccessKey: new Secret('secret-secret'),
  })
  return {
    ...{ open, objects, storage },
    refuse: () => {
      refuses = true
    },
    close() {
      storage.close()
      server.close()
    },
  }
}

describe('writing in parts', () => {
  let store: { close(): void; storage: S3Storage } | undefined
  afterEach(() => store?.close())

  const MIB = 1024 * 1024
  const key = 'exports/1/a.gz'
  const options = { contentType: 'application/gzip', cacheControl: 'no-store' }
  async function* pieces(count: number, failure?: Error) {
    for (let n = 0; n < count; n += 1) yield Buffer.alloc(MIB, n + 1)
    if (failure) throw failure
  }

  it('sends little at once, and much in parts of 8 MiB', async () => {
    const parts = await partsStore()
    store = parts
    for (const count of [0, 1, 8, 9, 25]) {
      await parts.storage.writeStream(key, pieces(count), options)
      const written = parts.objects.get(key)
      expect(written?.length).toBe(count * MIB)
      expect(written?.every((byte, at) => byte === Math.floor(at / MIB) + 1)).toBe(true)
      expect(parts.open.size).toBe(0)
    }
  })

  it('lets go of what it reads from, wherever the store refuses', async () => {
    const parts = await partsStore()
    store = parts
    parts.refuse()
    let isLetGo = false
    async function* file() {
      try {
        yield* pieces(40)
      } finally {
        isLetGo = true
      }
    }
    await expect(parts.storage.writeStream(key, file(), options)).rejects.toBeInstanceOf(ProviderFailure)
    expect(isLetGo).toBe(true)
  })

  it('leaves no parts behind: not of its own where it fails, nor of a process that was killed at the same object', async () => {
    const parts = await partsStore()
    store = parts
    parts.open.set('of somebody killed', [Buffer.alloc(1)])
    const failing = parts.storage.writeStream(key, pieces(20, new Error('no more of it')), options)
    await expect(failing).rejects.toBeInstanceOf(ProviderFailure)
    expect([parts.open.size, parts.objects.size]).toEqual([0, 0])
    parts.refuse()
    await expect(parts.storage.writeStream(key, pieces(20), options)).rejects.toBeInstanceOf(ProviderFailure)
    expect([parts.open.size, parts.objects.size]).toEqual([0, 0])
  })
})

describe('uploads of browsers in parts', () => {
  const key = 'exports/1/a.gz'
  const MIB = 1024 * 1024

  it('are joined from what the store has, once, and not before all of it came', async () => {
    const parts = await partsStore()
    try {
      const upload = { key, contentType: 'image/png', bytes: 20 * MIB, expiresInSeconds: 60 }
      const signed = await parts.storage.signParts(upload)
      expect(signed.parts.map(({ from, to }) => [from / MIB, to / MIB])).toEqual([
        [0, 8],
        [8, 16],
        [16, 20],
      ])
      const { session } = signed
      const begun = { key, session, bytes: 20 * MIB }
      for (const { url, from, to } of signed.parts) {
        // asked for too early: the upload is left as it is
        expect(await parts.storage.joinParts(begun)).toBe(false)
        await fetch(url, { method: 'PUT', body: Buffer.alloc(to - from, 7) })
      }
      expect(parts.objects.size).toBe(0)
      expect(await parts.storage.joinParts(begun)).toBe(true)
      expect(parts.objects.get(key)?.length).toBe(20 * MIB)
      expect(await parts.storage.joinParts(begun)).toBe(true)
    } finally {
      parts.close()
    }
  })

  it('that were never joined are dropped, once they are old', async () => {
    const parts = await partsStore()
    try {
      parts.open.set('of somebody gone', [Buffer.alloc(1)])
      await parts.storage.dropParts('exports/', new Date('2026-03-23T11:00:00Z'))
      expect(parts.open.size).toBe(1)
      await parts.storage.dropParts('exports/', new Date('2026-03-23T13:00:00Z'))
      expect(parts.open.size).toBe(0)
    } finally {
      parts.close()
    }
  })

  it('that were never joined are dropped on all pages of the list', async () => {
    const parts = await partsStore({ pageOf: 2 })
    try {
      for (let n = 1; n <= 5; n += 1) parts.open.set(`upload ${n}`, [Buffer.alloc(1)])
      await parts.storage.dropParts('exports/', new Date('2026-03-23T13:00:00Z'))
      expect([...parts.open.keys()]).toEqual([])
    } finally {
      parts.close()
    }
  })
})
