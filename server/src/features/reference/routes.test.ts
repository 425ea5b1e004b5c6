import { request as ask } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { docsHeaders } from './docs-page.ts'

describe('the reference', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  /** As a browser would, but with the bytes as they came. */
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>()
    ask(`${office.baseUrl}${path}`, { headers, method }, resolve).on('error', reject).end()
    const answer = await promise
    return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) }
  }
  const TEXTS = ['/docs/', '/docs/js/scalar.js', '/openapi.json', '/asyncapi.json']

  it.each(TEXTS)('%s crosses the network compressed, as the browser takes it', async (path) => {
    const plain = await get(path)
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined])
    const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'origin, accept-encoding' })
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true)
    expect(Number(brotli.headers['content-length'])).toBe(brotli.bytes.length)
    const gzip = await get(path, { 'accept-encoding': 'gzip;q=0.5, br;q=0' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
    expect(brotli.headers['content-type']).toBe(plain.headers['content-type'])
  })

  it.each(TEXTS)('%s is kept by the browser, which asks whether it is still the same', async (path) => {
    const first = await get(path, { 'accept-encoding': 'br' })
    expect(first.headers['cache-control']).toBe('no-cache')
    const etag = first.headers.etag as string
    const again = await get(path, { 'accept-encoding': 'br', 'if-none-match': `"other", W/${etag}` })
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag])
    expect((await get(path, { 'if-none-match': etag })).status).toBe(200)
    const head = await get(path, { 'accept-encoding': 'br' }, 'HEAD')
    expect([head.status, head.bytes.length, head.headers.etag]).toEqual([200, 0, etag])
  })

  it('asks for nothing: the page holds its document, and no text of it ends the element that does', async () => {
    const page = (await get('/docs/')).bytes.toString()
    const [, json = ''] = /<script type="application\/json" id="reference">(.*?)<\/script>/s.exec(page) ?? []
    const { content } = JSON.parse(json) as { content: unknown }
    expect(content).toEqual(JSON.parse((await get('/openapi.json')).bytes.toString()))
    expect(json).not.toContain('<')
  })

  it('is a tenth of what it was, compressed', async () => {
    const [plain, brotli] = [
      await get('/openapi.json'),
      await get('/openapi.json', { 'accept-encoding': 'br' }),
    ]
    expect(brotli.bytes.length).toBeLessThan(plain.bytes.length / 8)
  })
})

it('has an opaque origin in production, and may fetch nothing', () => {
  const policies = [true, false].map(
    (isSandboxed) => docsHeaders(isSandboxed)['content-security-policy'] ?? '',
  )
  expect(policies.map((policy) => policy.startsWith('sandbox allow-scripts; '))).toEqual([true, false])
  expect(policies[0]).toContain("connect-src 'none'")
  for (const policy of policies) expect(policy).not.toMatch(/script-src[^;]*unsafe/)
})

it('has no opener policy beside its sandbox: browsers show no page that has both', () => {
  expect(docsHeaders(true)).toMatchObject({ 'cross-origin-opener-policy': 'unsafe-none' })
  expect(docsHeaders(false)).not.toHaveProperty('cross-origin-opener-policy')
})
