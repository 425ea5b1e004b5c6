import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

  it.each(storageCases.map((each) => [each.name, each] as const))('%s', async (_, { run }) => {
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

  it('fails in our words where nobody answers', async () => {
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
})
