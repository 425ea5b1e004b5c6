import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { picture } from '../../../tests/chapters/uploads.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { httpImageCheck } from './http-image-check.ts'
import { ownImageCheck } from './own-image-check.ts'

describe('httpImageCheck', () => {
  const against = async (answer: RequestListener) => {
    const server = createServer(answer).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return httpImageCheck({ url: async () => url })
  }
  const facts = { 'image-type': 'image/png', 'image-width': '300', 'image-height': '300' }

  it.each<[string, number, Record<string, string>, string]>([
    ['an error', 500, {}, ''],
    ['too busy', 503, {}, '{"reason":"busy"}'],
    ['nothing about the image', 204, {}, ''],
    ['a type that we do not take', 204, { ...facts, 'image-type': 'image/svg+xml' }, ''],
    ['a size that is none', 204, { ...facts, 'image-width': '-1' }, ''],
    ['cleaned bytes that are not there', 200, facts, ''],
    ['a redirect', 302, { location: 'http://127.0.0.1:1/' }, ''],
    ['a refusal that is no JSON', 422, {}, '<html>'],
  ])('knows nothing of the image where the service answers %s', async (_, status, headers, body) => {
    const check = await against((_request, response) => void response.writeHead(status, headers).end(body))
    await expect(check.check(new Uint8Array(3))).rejects.toBeInstanceOf(ProviderFailure)
  })

  it('takes no small picture that is none', async () => {
    const check = await against((_request, response) => void response.writeHead(200, facts).end('<svg>'))
    await expect(check.preview(new Uint8Array(3))).rejects.toBeInstanceOf(ProviderFailure)
  })

  it('believes a verdict in the form of the contract', async () => {
    const check = await against((_request, response) => void response.writeHead(204, facts).end())
    expect(await check.check(new Uint8Array(3))).toEqual({
      accepted: true,
      contentType: 'image/png',
      width: 300,
      height: 300,
      cleaned: undefined,
    })
    await expect(check.ready()).rejects.toBeInstanceOf(ProviderFailure)
  })

  it('says that no answer comes', async () => {
    const check = httpImageCheck({ url: async () => 'http://127.0.0.1:1' })
    await expect(check.check(new Uint8Array(3))).rejects.toBeInstanceOf(ProviderFailure)
    await expect(check.ready()).rejects.toBeInstanceOf(ProviderFailure)
  })
})

/** As a telephone held upright takes it: turned, and with words of where it was. */
function photograph(): Promise<Buffer> {
  const create = { width: 2_400, height: 1_200, channels: 3 as const, background: '#468' }
  return sharp({ create })
    .jpeg()
    .withExif({ IFD0: { ImageDescription: 'at home' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
}

it('asks the image check that an office brings along', async () => {
  const own = ownImageCheck(recordedLog())
  onTestFinished(() => own.stop())
  await own.up(240_000)
  await own.ready()
  expect(await own.check(await picture('png', 64))).toMatchObject({ accepted: true, width: 64 })
  expect(await own.check(new Uint8Array(3))).toEqual({ accepted: false, fault: 'not-an-image' })
  const wide = await own.preview(await photograph())
  expect(wide).toMatchObject({ accepted: true, contentType: 'image/jpeg', width: 1_200, height: 2_400 })
  const small = await sharp((wide as { cleaned: Uint8Array }).cleaned).metadata()
  expect(small).toMatchObject({ format: 'webp', width: 480, height: 960 })
  expect(small.exif).toBeUndefined()
  expect(await own.preview(new Uint8Array(3))).toEqual({ accepted: false, fault: 'not-an-image' })
  expect(await own.preview((await picture('png', 64)).subarray(0, 90))).toEqual({
    accepted: false,
    fault: 'damaged',
  })
})
