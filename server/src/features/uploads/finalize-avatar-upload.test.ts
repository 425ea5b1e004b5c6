import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressAt, picture, pixels, put, shownAt, upload } from '../../../tests/chapters/uploads.ts'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson, type Person, signInAgain } from '../../../tests/people.ts'

const BYTES_MAX = 2_359_296

describe('finalizeAvatarUpload', () => {
  let office: TestOffice
  let node: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { AVATAR_UPLOAD_TRIES: '3' } })
    node = await openTestOffice({
      beside: office,
      settings: { AVATAR_PUBLIC_BASE_URL: office.office.config.avatarPublicBaseUrl },
    })
  })
  afterAll(async () => {
    await node.close()
    await office.close()
  })

  const triesOf = async (browser: Person['browser']) =>
    (await browser.call('getCurrentUser')).avatarUploadTriesRemaining
  const isStored = async (key: string) => (await office.office.uploads.storage.find(key)) !== undefined

  it('shows nothing of an account that is deleted meanwhile', async () => {
    const { browser, id } = await newPerson(office)
    const tmpKey = await upload(office, browser, await picture('png'))
    const deletion = await hold(office, 'update users set deleted_at = now() where id = $1', [id])
    const finalized = browser.request('finalizeAvatarUpload', { tmpKey })
    await untilBlocked(office, 1)
    await deletion.commit()
    expect(await finalized).toMatchObject({ status: 401, body: { error: 'unauthenticated' } })
    const { rows } = await office.database.pool.query('select avatar_key from users where id = $1', [id])
    expect(rows).toEqual([{ avatar_key: null }])
  })

  it('shows the image that was uploaded, byte for byte, everywhere at once', async () => {
    const { browser, email, id } = await newPerson(office)
    const bytes = await picture('jpeg', 512)
    const tmpKey = await upload(office, browser, bytes, 'image/jpeg')
    const before = await browser.call('getCurrentUser')
    const { avatarUrl } = await browser.call('finalizeAvatarUpload', { tmpKey })

    const key = tmpKey.replace('tmp/', 'avatars/')
    expect(avatarUrl).toBe(`${office.office.config.baseUrl}/storage/${key}`)
    const after = await browser.call('getCurrentUser')
    expect(after).toMatchObject({ id, avatarUrl, avatarUploadTriesRemaining: 2 })
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
    expect((await signInAgain(node, email)).user).toMatchObject({ avatarURL: avatarUrl })

    for (const at of [office, node]) {
      const shown = await shownAt(at, avatarUrl)
      expect(shown.status).toBe(200)
      expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true)
      expect(Object.fromEntries(shown.headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'content-length': String(bytes.length),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy':
          "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        etag: expect.stringMatching(/^"\w+"$/),
      })
    }
    expect(await isStored(tmpKey)).toBe(false)
  })

  it('spares a browser what it has, and answers HEAD', async () => {
    const { browser } = await newPerson(office)
    const tmpKey = await upload(office, browser, await picture('png'))
    const { avatarUrl } = await browser.call('finalizeAvatarUpload', { tmpKey })
    const url = addressAt(office, avatarUrl)
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'image/png', ''])
    const { byteLength } = await (await fetch(url)).arrayBuffer()
    expect(head.headers.get('content-length')).toBe(String(byteLength))
    const again = await fetch(url, { headers: { 'if-none-match': head.headers.get('etag') ?? '' } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('serves nothing else of the storage, whatever the address', async () => {
    const { browser } = await newPerson(office)
    const tmpKey = await upload(office, browser, await picture('png'))
    const paths = [
      tmpKey,
      `avatars/../${tmpKey}`,
      `avatars/%2e%2e/${tmpKey}`,
      `avatars/..%2f${tmpKey}`,
      'avatars/',
      '',
    ]
    const opened: string[] = []
    const { storage } = office.office.uploads
    const { open } = storage
    storage.open = (object) => {
      opened.push(object.key)
      return open(object)
    }
    for (const path of paths) {
      const { status } = await fetch(`${office.baseUrl}/storage/${path}`)
      // where an upload may be put, nothing can be read
      expect([404, 405]).toContain(status)
    }
    storage.open = open
    expect(opened).toEqual([])
  })

  it('takes the place of the image before it, which is served a moment longer, and a second finalize of one upload finds nothing', async () => {
    const { browser } = await newPerson(office)
    const image = await picture('webp')
    const first = await upload(office, browser, image, 'image/webp')
    const shown = await browser.call('finalizeAvatarUpload', { tmpKey: first })
    expect(await browser.request('finalizeAvatarUpload', { tmpKey: first })).toMatchObject({ status: 404 })
    const next = await upload(office, browser, await picture('png'))
    const { avatarUrl } = await browser.call('finalizeAvatarUpload', { tmpKey: next })
    for (const url of [shown.avatarUrl, avatarUrl]) expect((await shownAt(office, url)).status).toBe(200)
    expect(await triesOf(browser)).toBe(1)
  })

  it('never lets a second upload to one address become the image', async () => {
    const { browser } = await newPerson(office)
    const ticket = await browser.call('createAvatarUploadTicket', { contentType: 'image/png' })
    const url = addressAt(office, ticket.uploadUrl)
    const image = await picture('png')
    await put(url, image, 'image/png')
    const { avatarUrl } = await browser.call('finalizeAvatarUpload', ticket)
    expect((await put(url, await picture('png'), 'image/png')).status).toBe(200)
    expect(await browser.request('finalizeAvatarUpload', ticket)).toMatchObject({ status: 404 })
    expect(Buffer.from(await (await shownAt(office, avatarUrl)).arrayBuffer()).equals(image)).toBe(true)
  })

  it('takes metadata out, and stores what the image is, not what was said of it', async () => {
    const { browser } = await newPerson(office)
    const bytes = await pixels(200)
      .withExif({ IFD0: { Copyright: 'CANARY' } })
      .jpeg()
      .toBuffer()
    const tmpKey = await upload(office, browser, bytes, 'image/png')
    const { avatarUrl } = await browser.call('finalizeAvatarUpload', { tmpKey })
    expect(avatarUrl).toMatch(/\.png$/)
    const shown = await shownAt(office, avatarUrl)
    expect(shown.headers.get('content-type')).toBe('image/jpeg')
    expect(shown.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(Buffer.from(await shown.arrayBuffer()).includes('CANARY')).toBe(false)
  })

  it.each(['tmp/0/a.png', 'avatars/1/a.png', '/tmp/1/a.png', 'TMP/1/a.png', 'x', 'tmp/', '../tmp/1/a.png'])(
    'rule 1: answers 403 to %j, of another person',
    async (tmpKey) => {
      const { browser } = await newPerson(office)
      expect(await browser.request('finalizeAvatarUpload', { tmpKey })).toMatchObject({
        status: 403,
        body: { code: 403 },
      })
    },
  )

  it.each([
    '..',
    '../2/a.png',
    './a.png',
    '%2e%2e/a.png',
    '..%2f2%2fa.png',
    'a/../../2/a.png',
    '..\\2',
    'a//b.png',
    'a\u0000.png',
  ])('rule 1: answers 403 to %j behind the own prefix', async (rest) => {
    const { browser, id } = await newPerson(office)
    const answer = await browser.request('finalizeAvatarUpload', { tmpKey: `tmp/${id}/${rest}` })
    expect(answer).toMatchObject({ status: 403, body: { error: 'not-your-upload' } })
  })

  it("rule 1: answers 403 to another person's upload, and leaves it alone", async () => {
    const [owner, thief] = [await newPerson(office), await newPerson(office)]
    const tmpKey = await upload(office, owner.browser, await picture('png'))
    expect(await thief.browser.request('finalizeAvatarUpload', { tmpKey })).toMatchObject({ status: 403 })
    expect(await triesOf(thief.browser)).toBe(3)
    expect((await owner.browser.request('finalizeAvatarUpload', { tmpKey })).status).toBe(200)
  })

  it('rule 2: answers 404 where nothing was uploaded, and spends no try', async () => {
    const { browser, id } = await newPerson(office)
    const { tmpKey } = await browser.call('createAvatarUploadTicket', { contentType: 'image/png' })
    for (const key of [tmpKey, `tmp/${id}/a.png`, `tmp/${id}/`, `tmp/${id}/a/b.png`])
      expect(await browser.request('finalizeAvatarUpload', { tmpKey: key })).toMatchObject({ status: 404 })
    expect(await triesOf(browser)).toBe(3)
  })

  it('rule 3: takes 2,359,296 bytes and not one more', async () => {
    const { browser } = await newPerson(office)
    const image = await picture('png')
    const padded = (size: number) => Buffer.concat([image, Buffer.alloc(size - image.length)])
    const large = await upload(office, browser, padded(BYTES_MAX))
    expect((await browser.request('finalizeAvatarUpload', { tmpKey: large })).status).toBe(200)
    const larger = await upload(office, browser, padded(BYTES_MAX + 1))
    expect(await browser.request('finalizeAvatarUpload', { tmpKey: larger })).toMatchObject({
      status: 400,
      body: { code: 400, error: 'invalid-image', message: expect.stringContaining('2359296') },
    })
    expect(await isStored(larger)).toBe(false)
    expect(await triesOf(browser)).toBe(1)
  })

  it.each<[string, number, number, number]>([
    ['127 pixels', 127, 127, 400],
    ['128 pixels', 128, 128, 200],
    ['1024 pixels', 1024, 1024, 200],
    ['1025 pixels', 1025, 1025, 400],
    ['not square', 300, 301, 400],
    ['long and thin', 1, 2000, 400],
  ])('rule 4: %s', async (_, width, height, status) => {
    const { browser } = await newPerson(office)
    const tmpKey = await upload(office, browser, await picture('png', width, height))
    const answer = await browser.request('finalizeAvatarUpload', { tmpKey })
    expect(answer.status).toBe(status)
    expect(await isStored(tmpKey)).toBe(false)
    expect(await triesOf(browser)).toBe(2)
    expect((await browser.call('getCurrentUser')).avatarUrl === null).toBe(status === 400)
  })

  it.each<[string, () => Promise<Uint8Array>]>([
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"/>')],
    ['a page', async () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['nothing', async () => new Uint8Array(0)],
    ['a GIF', () => pixels(256).gif().toBuffer()],
    ['half a JPEG', async () => (await pixels(256).blur(2).jpeg().toBuffer()).subarray(0, 2_000)],
  ])('rule 4: answers 400 to %s, and keeps the avatar that was there', async (_, make) => {
    const { browser } = await newPerson(office)
    const good = await upload(office, browser, await picture('png'))
    const { avatarUrl } = await browser.call('finalizeAvatarUpload', { tmpKey: good })
    const tmpKey = await upload(office, browser, await make())
    expect(await browser.request('finalizeAvatarUpload', { tmpKey })).toMatchObject({
      status: 400,
      body: { error: 'invalid-image' },
    })
    expect(await isStored(tmpKey)).toBe(false)
    expect(await browser.call('getCurrentUser')).toMatchObject({ avatarUrl, avatarUploadTriesRemaining: 1 })
    expect((await shownAt(office, avatarUrl)).status).toBe(200)
  })

  it.each([{}, { tmpKey: null }, { tmpKey: 1 }, { tmpKey: '' }, { tmpKey: 'x'.repeat(513) }])(
    'answers 422 to %j',
    async (body) => {
      const { browser } = await newPerson(office)
      expect(await browser.request('finalizeAvatarUpload', body as { tmpKey: string })).toMatchObject({
        status: 422,
        body: { code: 422 },
      })
    },
  )

  it('is refused without a session', async () => {
    expect(await office.browser().request('finalizeAvatarUpload', { tmpKey: 'x' })).toMatchObject({
      status: 401,
    })
  })
})
