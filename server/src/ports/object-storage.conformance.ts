import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ObjectStoragePort } from './object-storage.ts'

/** What every object storage must do. Names say what; each works on keys of its own. */
export interface StorageCase {
  name: string
  /** Wants a store that lists uploads in parts by the beginning of their keys. */
  listsUploads?: true
  run(harness: StorageHarness): Promise<void>
}

export interface StorageHarness {
  storage: ObjectStoragePort
  /** Fetches a signed address; tests may reach it elsewhere than it says. */
  get(url: string): Promise<Response>
  /** Sends to a signed address; tests may reach it elsewhere than it says. */
  put(url: string, bytes: Uint8Array, contentType: string): Promise<Response>
}

const PNG = 'image/png'
const options = { contentType: PNG, cacheControl: 'public, max-age=31536000, immutable' }
const bytesOf = (text: string) => new TextEncoder().encode(text)
const freshKey = (folder = 'tmp') => `${folder}/${randomUUID()}/${randomUUID()}.png`

async function textOf(storage: ObjectStoragePort, key: string, etag?: string): Promise<string | undefined> {
  const opened = await storage.open(etag === undefined ? { key } : { key, etag })
  if (!opened) return undefined
  const chunks: Uint8Array[] = []
  for await (const chunk of opened.bytes) chunks.push(chunk)
  assert.equal(opened.sizeBytes, Buffer.concat(chunks).length)
  return Buffer.concat(chunks).toString()
}

async function listed(storage: ObjectStoragePort, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const batch of storage.list(prefix)) keys.push(...batch.map(({ key }) => key))
  return keys.sort()
}

export const storageCases: readonly StorageCase[] = [
  {
    name: 'keeps what was uploaded to a signed address, with the type that was signed',
    async run({ storage, put }) {
      const key = freshKey()
      assert.equal(await storage.find(key), undefined)
      const url = await storage.signUpload({ key, contentType: PNG, expiresInSeconds: 120 })
      assert.equal((await put(url, bytesOf('one'), PNG)).status, 200)
      const found = await storage.find(key)
      assert.ok(found?.etag)
      assert.deepEqual(found, { key, sizeBytes: 3, etag: found.etag, contentType: PNG })
      assert.equal(await textOf(storage, key), 'one')
    },
  },
  {
    name: 'takes an upload of any size up to 8 MiB',
    async run({ storage, put }) {
      for (const size of [0, 1, 2_359_297, 8 * 1024 * 1024]) {
        const key = freshKey()
        const url = await storage.signUpload({ key, contentType: PNG, expiresInSeconds: 120 })
        assert.equal((await put(url, new Uint8Array(size).fill(7), PNG)).status, 200)
        assert.equal((await storage.find(key))?.sizeBytes, size)
      }
    },
  },
  {
    name: 'refuses another type, another key, a changed signature, and keeps nothing of it',
    async run({ storage, put }) {
      const [key, other] = [freshKey(), freshKey()]
      const url = await storage.signUpload({ key, contentType: PNG, expiresInSeconds: 120 })
      assert.equal((await put(url, bytesOf('x'), 'text/html')).status, 403)
      assert.equal((await put(url.replace(key, other), bytesOf('x'), PNG)).status, 403)
      assert.ok((await put(url.replace(/(signature=.)/i, '$1A'), bytesOf('x'), PNG)).status >= 400)
      assert.equal((await put(url.split('?')[0] ?? '', bytesOf('x'), PNG)).status, 403)
      assert.equal(await storage.find(key), undefined)
      assert.equal(await storage.find(other), undefined)
    },
  },
  {
    name: 'refuses a signed address that is over',
    async run({ storage, put }) {
      const key = freshKey()
      const url = await storage.signUpload({ key, contentType: PNG, expiresInSeconds: 1 })
      // the store has a clock of its own
      await new Promise((resolve) => setTimeout(resolve, 2_500))
      assert.ok((await put(url, bytesOf('late'), PNG)).status >= 400)
      assert.equal(await storage.find(key), undefined)
    },
  },
  {
    name: 'takes an upload of a known size in as many parts as it says, again where one was cut off, no byte more or fewer',
    async run({ storage, put }) {
      for (const size of [1, 8 * 1024 * 1024 + 1]) {
        const key = freshKey()
        const upload = await storage.signParts({ key, contentType: PNG, bytes: size, expiresInSeconds: 120 })
        const bytes = new Uint8Array(size).fill(7)
        const { session } = upload
        for (const [at, { url, from, to }] of upload.parts.entries()) {
          if (at > 0) assert.equal(await storage.joinParts({ key, session, bytes: size }), false)
          for (const wrong of [to - from - 1, to - from + 1])
            assert.ok(await isRefused(put(url, new Uint8Array(wrong), PNG)))
          for (let sent = 0; sent < 2; sent += 1)
            assert.equal((await put(url, bytes.slice(from, to), PNG)).status, 200)
        }
        assert.equal(upload.parts.at(-1)?.to, size)
        for (let joined = 0; joined < 2; joined += 1)
          assert.equal(await storage.joinParts({ key, session, bytes: size }), true)
        assert.equal((await storage.find(key))?.sizeBytes, size)
        assert.equal((await storage.find(key))?.contentType, PNG)
      }
    },
  },
  {
    name: 'makes no object of an upload that never came',
    async run({ storage }) {
      const folder = `tmp/${randomUUID()}/`
      const key = `${folder}${randomUUID()}.png`
      const bytes = 8 * 1024 * 1024 + 1
      const { session, parts } = await storage.signParts({
        key,
        contentType: PNG,
        bytes,
        expiresInSeconds: 120,
      })
      await storage.dropParts(folder, new Date(Date.now() - 60_000))
      assert.equal(await storage.find(key), undefined)
      if (parts.length > 1) assert.equal(await storage.joinParts({ key, session, bytes }), false)
    },
  },
  {
    name: 'drops what came of an upload in part',
    listsUploads: true,
    async run({ storage, put }) {
      const folder = `tmp/${randomUUID()}/`
      const key = `${folder}${randomUUID()}.png`
      const bytes = 8 * 1024 * 1024 + 1
      const { parts } = await storage.signParts({ key, contentType: PNG, bytes, expiresInSeconds: 120 })
      const [first, second] = parts
      if (!first || !second) return
      const half = new Uint8Array(first.to)
      assert.equal((await put(first.url, half, PNG)).status, 200)
      await storage.dropParts(folder, new Date(Date.now() + 60_000))
      assert.ok((await put(second.url, new Uint8Array(1), PNG)).status >= 400)
      assert.equal(await storage.find(key), undefined)
    },
  },
  {
    name: 'gives a name of any letters to a file that is kept, and shows another in a page',
    async run({ storage, get }) {
      const key = freshKey('recordings')
      await storage.write(key, bytesOf('x'), options)
      const file = { key, contentType: PNG, expiresInSeconds: 60 }
      const kept = await get(await storage.signDownload({ ...file, fileName: 'Ärger "über" 100%.png' }))
      assert.equal(
        kept.headers.get('content-disposition'),
        `attachment; filename="_rger __ber_ 100_.png"; filename*=UTF-8''%C3%84rger%20%22%C3%BCber%22%20100%25.png`,
      )
      const shown = await get(await storage.signDownload({ ...file, fileName: 'x.png', shown: true }))
      assert.equal(shown.headers.get('content-disposition'), 'inline')
      for (const response of [kept, shown]) assert.equal(await response.text(), 'x')
    },
  },
  {
    name: 'hands an object out at a signed address, as a file of the signed name and type, until it is over',
    async run({ storage, get }) {
      const [key, other] = [freshKey('recordings'), freshKey('recordings')]
      for (const each of [key, other]) await storage.write(each, bytesOf('a film'), options)
      const download = { key, fileName: 'film-1.mp4', contentType: 'video/mp4' }
      const url = await storage.signDownload({ ...download, expiresInSeconds: 60 })
      const found = await get(url)
      assert.equal(found.status, 200)
      assert.equal(await found.text(), 'a film')
      assert.equal(found.headers.get('content-type'), 'video/mp4')
      assert.equal(found.headers.get('content-disposition'), 'attachment; filename="film-1.mp4"')
      for (const changed of [url.replace(key, other), url.replace('film-1', 'film-2')])
        assert.equal((await get(changed)).status, 403)
      const short = await storage.signDownload({ ...download, expiresInSeconds: 1 })
      // the store has a clock of its own
      await new Promise((resolve) => setTimeout(resolve, 2_500))
      assert.equal((await get(short)).status, 403)
      const missing = await storage.signDownload({ ...download, key: freshKey(), expiresInSeconds: 60 })
      assert.ok((await get(missing)).status >= 400)
    },
  },
  {
    name: 'writes with type and cache header, over what was there, under another etag',
    async run({ storage }) {
      const key = freshKey('avatars')
      await storage.write(key, bytesOf('one'), options)
      const first = await storage.find(key)
      await storage.write(key, bytesOf('two!'), { ...options, contentType: 'image/webp' })
      const second = await storage.open({ key })
      assert.equal(second?.contentType, 'image/webp')
      assert.equal(second.cacheControl, options.cacheControl)
      assert.notEqual(second.etag, first?.etag)
      await second.close()
      assert.equal(await textOf(storage, key), 'two!')
    },
  },
  {
    name: 'writes bytes as they come, few and many, and nothing where they fail',
    async run({ storage, get }) {
      const piece = new Uint8Array(1024 * 1024 + 1).fill(7)
      async function* pieces(count: number, failure?: Error) {
        for (let n = 0; n < count; n += 1) yield piece
        if (failure) throw failure
      }
      const key = freshKey('exports')
      for (const count of [0, 1, 20]) {
        await storage.writeStream(key, pieces(count), options)
        const found = await storage.find(key)
        assert.equal(found?.sizeBytes, count * piece.length)
        assert.equal(found.contentType, PNG)
      }
      const failure = new Error('no more of it')
      for (const count of [1, 20])
        await assert.rejects(storage.writeStream(key, pieces(count, failure), options))
      assert.equal((await storage.find(key))?.sizeBytes, 20 * piece.length)
      const download = { key, fileName: 'all.bin', contentType: PNG, expiresInSeconds: 60 }
      const bytes = new Uint8Array(await (await get(await storage.signDownload(download))).arrayBuffer())
      assert.ok(bytes.length === 20 * piece.length && bytes.every((byte) => byte === 7))
    },
  },
  {
    name: 'opens only the content of the etag that is asked for',
    async run({ storage }) {
      const key = freshKey()
      await storage.write(key, bytesOf('one'), options)
      const etag = (await storage.find(key))?.etag ?? ''
      assert.equal(await textOf(storage, key, etag), 'one')
      await storage.write(key, bytesOf('two'), options)
      assert.equal(await textOf(storage, key, etag), undefined)
    },
  },
  {
    name: 'copies byte for byte, with a type and a cache header of its own',
    async run({ storage }) {
      const [from, to] = [freshKey(), freshKey('avatars')]
      await storage.write(from, bytesOf('one'), { contentType: 'text/html', cacheControl: 'no-store' })
      const etag = (await storage.find(from))?.etag ?? ''
      assert.equal(await storage.copy({ from, etag, to, ...options }), true)
      const copied = await storage.open({ key: to })
      assert.equal(copied?.contentType, PNG)
      assert.equal(copied.cacheControl, options.cacheControl)
      await copied.close()
      assert.equal(await textOf(storage, to), 'one')
    },
  },
  {
    name: 'copies nothing where the source has changed or is gone',
    async run({ storage }) {
      const [from, to] = [freshKey(), freshKey('avatars')]
      await storage.write(from, bytesOf('one'), options)
      const etag = (await storage.find(from))?.etag ?? ''
      await storage.write(from, bytesOf('two'), options)
      assert.equal(await storage.copy({ from, etag, to, ...options }), false)
      await storage.remove([from])
      assert.equal(await storage.copy({ from, etag, to, ...options }), false)
      assert.equal(await storage.find(to), undefined)
    },
  },
  {
    name: 'removes what is there of many keys, and does not mind what is not',
    async run({ storage }) {
      const keys = Array.from({ length: 20 }, () => freshKey())
      for (const key of keys.slice(0, 10)) await storage.write(key, bytesOf('x'), options)
      await storage.remove(keys)
      await storage.remove(keys)
      await storage.remove([])
      for (const key of keys) assert.equal(await storage.find(key), undefined)
    },
  },
  {
    name: 'lists every object below a prefix with its age, and nothing else',
    async run({ storage }) {
      const folder = `tmp/${randomUUID()}`
      const keys = Array.from({ length: 25 }, (_, number) => `${folder}/${number % 3}/${number}.png`).sort()
      for (const key of keys) await storage.write(key, bytesOf('x'), options)
      await storage.write(`${folder}-not/1.png`, bytesOf('x'), options)
      assert.deepEqual(await listed(storage, `${folder}/`), keys)
      assert.deepEqual(await listed(storage, `tmp/${randomUUID()}/`), [])
      for await (const batch of storage.list(`${folder}/`)) {
        for (const { modifiedAt } of batch) assert.ok(Math.abs(Date.now() - modifiedAt.getTime()) < 60_000)
      }
    },
  },
  {
    name: 'shows a whole object or none while many write and read one key',
    async run({ storage }) {
      const key = freshKey()
      const contents = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(200_000))
      await storage.write(key, bytesOf(contents[0] ?? ''), options)
      const writing = contents.map((content) => storage.write(key, bytesOf(content), options))
      const reading = Array.from({ length: 8 }, async () => {
        const text = await textOf(storage, key).catch(() => undefined)
        assert.ok(text === undefined || contents.includes(text), 'what was read was written as one')
      })
      await Promise.all([...writing, ...reading])
      assert.ok(contents.includes((await textOf(storage, key)) ?? ''))
    },
  },
  {
    name: 'says that it can be reached',
    async run({ storage }) {
      await storage.check()
    },
  },
]

/** A store may answer before it has read all, and hang up: a client that still writes hears of the end alone. */
async function isRefused(putting: Promise<Response>): Promise<boolean> {
  return await putting.then(
    ({ status }) => status >= 400,
    () => true,
  )
}
