import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { put } from '../../../tests/chapters/uploads.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { Secret } from '../../platform/secrets/secret.ts'
import { storageCases } from '../../ports/object-storage.conformance.ts'
import { s3Storage } from './s3-storage.ts'

/** Set by `npm run test:engines s3`, which starts the real stores. */
const endpoint = process.env.ATRIUM_TEST_S3_ENDPOINT
const accessKeyId = process.env.ATRIUM_TEST_S3_KEY ?? 'key'
const secretAccessKey = process.env.ATRIUM_TEST_S3_SECRET ?? 'secret-secret'
const region = 'us-east-1'
const { ATRIUM_TEST_S3_LISTS_UPLOADS = 'yes' } = process.env
const cases = storageCases.filter(
  ({ listsUploads }) => !listsUploads || ATRIUM_TEST_S3_LISTS_UPLOADS === 'yes',
)

describe.skipIf(endpoint === undefined)('s3Storage on a real store', () => {
  const bucket = `atrium-${randomBytes(6).toString('hex')}`
  const options = {
    endpoint: endpoint ?? '',
    region,
    bucket,
    accessKeyId,
    secretAccessKey: new Secret(secretAccessKey),
  }
  const storage = s3Storage(options)
  beforeAll(async () => {
    const credentials = { accessKeyId, secretAccessKey }
    const client = new S3Client({ endpoint: options.endpoint, region, credentials, forcePathStyle: true })
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
    client.destroy()
  })
  afterAll(() => storage.close())

  it.each(cases.map((each) => [each.name, each] as const))('%s', async (_, { run }) => {
    await run({ storage, get: (url: string) => fetch(url), put })
  })

  it('lists more than one page, and removes as many at once', async () => {
    const keys = Array.from({ length: 1_100 }, (_, number) => `tmp/pages/${number}.png`)
    const written = { contentType: 'image/png', cacheControl: 'no-store' }
    for (let at = 0; at < keys.length; at += 50)
      await Promise.all(keys.slice(at, at + 50).map((key) => storage.write(key, new Uint8Array(1), written)))
    const listed = async () => {
      const found: string[] = []
      for await (const batch of storage.list('tmp/pages/')) found.push(...batch.map(({ key }) => key))
      return found.sort()
    }
    expect(await listed()).toEqual([...keys].sort())
    await storage.remove(keys)
    expect(await listed()).toEqual([])
  })

  it('fails, and does not call it absent, where keys or bucket are wrong', async () => {
    const wrong = [
      s3Storage({ ...options, secretAccessKey: new Secret('another-secret') }),
      s3Storage({ ...options, bucket: `${bucket}-not` }),
    ]
    for (const other of wrong) {
      await expect(other.check()).rejects.toBeInstanceOf(ProviderFailure)
      await expect(other.open({ key: 'tmp/1/a.png' })).rejects.toBeInstanceOf(ProviderFailure)
      other.close()
    }
  })
})

describe('s3Storage', () => {
  const signing = s3Storage({
    endpoint: 'https://s3.example',
    region,
    bucket: 'files',
    accessKeyId,
    secretAccessKey: new Secret(secretAccessKey),
  })

  it('signs key and type, and no checksum', async () => {
    const key = 'tmp/1/a.png'
    const url = new URL(await signing.signUpload({ key, contentType: 'image/png', expiresInSeconds: 120 }))
    expect(url.origin + url.pathname).toBe('https://s3.example/files/tmp/1/a.png')
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('content-type;host')
    expect(url.searchParams.get('X-Amz-Expires')).toBe('120')
    expect([...url.searchParams.keys()].filter((name) => /checksum/i.test(name))).toEqual([])
    expect(url.href).not.toContain(secretAccessKey)
  })

  it('signs how many bytes an upload has, of one part and of several', async () => {
    const upload = { key: 'tmp/files/a', contentType: 'image/png', bytes: 1_000, expiresInSeconds: 120 }
    const { parts, session } = await signing.signParts(upload)
    expect(session).toBeUndefined()
    expect(parts).toMatchObject([{ from: 0, to: 1_000 }])
    const signed = new URL(parts[0]?.url ?? '').searchParams.get('X-Amz-SignedHeaders')
    expect(signed).toBe('content-length;content-type;host')
  })

  it('fails in our words where no server answers', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    server.close()
    const away = s3Storage({
      endpoint: `http://127.0.0.1:${port}`,
      region,
      bucket: 'files',
      accessKeyId,
      secretAccessKey: new Secret(secretAccessKey),
    })
    await expect(away.find('tmp/1/a.png')).rejects.toBeInstanceOf(ProviderFailure)
    await expect(away.check()).rejects.toBeInstanceOf(ProviderFailure)
    away.close()
  })

  it('gives up a store that trickles', async () => {
    const store = createHttpServer((_request, response) => {
      response.writeHead(200, { etag: '"1"', 'content-length': '1000000' })
      const trickle = setInterval(() => response.write('x'), 10)
      response.once('close', () => clearInterval(trickle))
    }).listen(0, '127.0.0.1')
    await once(store, 'listening')
    const { port } = store.address() as { port: number }
    const slow = s3Storage({
      endpoint: `http://127.0.0.1:${port}`,
      region,
      bucket: 'files',
      accessKeyId,
      secretAccessKey: new Secret(secretAccessKey),
      readWithinMs: 200,
    })
    const opened = await slow.open({ key: 'tmp/1/a.png' })
    const read = async () => {
      for await (const _ of opened?.bytes ?? []);
    }
    await expect(read()).rejects.toBeInstanceOf(ProviderFailure)
    slow.close()
    store.close()
  })

  /** A store that answers what a test says. */
  async function storeOf(answer: RequestListener) {
    const store = createHttpServer(answer).listen(0, '127.0.0.1')
    await once(store, 'listening')
    const { port } = store.address() as { port: number }
    const storage = s3Storage({
      endpoint: `http://127.0.0.1:${port}`,
      region,
      bucket: 'files',
      accessKeyId,
      secretAccessKey: new Secret(secretAccessKey),
    })
    onTestFinished(() => {
      storage.close()
      store.close()
    })
    return storage
  }

  it.each<[string, Record<string, string>]>([
    ['no etag', { 'content-length': '5' }],
    ['an empty etag', { 'content-length': '5', etag: '""' }],
    ['an etag without an end', { 'content-length': '5', etag: `"${'x'.repeat(300)}"` }],
    ['a size that is none', { 'content-length': '9007199254740993', etag: '"1"' }],
  ])('knows nothing of an object with %s', async (_case, headers) => {
    const storage = await storeOf((_request, response) => void response.writeHead(200, headers).end())
    await expect(storage.find('tmp/1/a.png')).rejects.toBeInstanceOf(ProviderFailure)
  })

  it('reads a content type that is too long as none', async () => {
    const headers = { 'content-length': '5', etag: '"1"', 'content-type': `image/${'x'.repeat(300)}` }
    const storage = await storeOf((_request, response) => void response.writeHead(200, headers).end())
    expect(await storage.find('tmp/1/a.png')).toEqual({
      key: 'tmp/1/a.png',
      sizeBytes: 5,
      etag: '1',
      contentType: '',
    })
  })

  it('lists nothing but what was asked for, and follows no list in circles', async () => {
    let calls = 0
    const one = (key: string) =>
      `<Contents><Key>${key}</Key><LastModified>2026-03-25T10:00:00.000Z</LastModified></Contents>`
    const keys = ['tmp/a.png', 'avatars/1/mine.png', 'tmp', `tmp/${'x'.repeat(1_025)}`]
    const storage = await storeOf((_request, response) => {
      calls += 1
      response.writeHead(200, { 'content-type': 'application/xml' })
      response.end(
        `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken>${keys.map(one).join('')}</ListBucketResult>`,
      )
    })
    const found: string[] = []
    const list = async () => {
      for await (const batch of storage.list('tmp/')) found.push(...batch.map(({ key }) => key))
    }
    await expect(list()).rejects.toBeInstanceOf(ProviderFailure)
    expect(new Set(found)).toEqual(new Set(['tmp/a.png']))
    expect(calls).toBeLessThan(5)
  })
})
