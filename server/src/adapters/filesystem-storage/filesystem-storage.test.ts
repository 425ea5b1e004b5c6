import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressAt, put } from '../../../tests/chapters/uploads.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { until } from '../../../tests/until.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { storageCases } from '../../ports/object-storage.conformance.ts'
import { filesystemStorage } from './filesystem-storage.ts'

const PNG = 'image/png'

describe('filesystemStorage', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { ALLOWED_ORIGINS: 'https://front.example' } })
  })
  afterAll(() => office.close())

  const signed = async (key: string) => {
    const { storage } = office.office.uploads
    return addressAt(office, await storage.signUpload({ key, contentType: PNG, expiresInSeconds: 120 }))
  }
  const leftovers = () => readdir(join(office.dataDir, 'storage', '.partial'))

  it.each(storageCases.map((each) => [each.name, each] as const))('%s', async (_, { run }) => {
    await run({
      storage: office.office.uploads.storage,
      get: (url) => fetch(addressAt(office, url)),
      put: (url, bytes, type) => put(addressAt(office, url), bytes, type),
    })
  })

  it('is checked by writing, leaves nothing, and fails where another folder is in the place of its own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-storage-'))
    const storage = filesystemStorage({
      folder,
      signingKeys: { current: new Uint8Array(32), all: [] },
      publicUrl: 'http://localhost/storage',
      clock: office.clock,
    })
    await storage.check()
    expect(await readdir(join(folder, '.partial'))).toEqual([])
    await rm(folder, { recursive: true })
    await expect(storage.check()).rejects.toMatchObject({ cause: { code: 'ENOENT' } })
    await mkdir(folder)
    await expect(storage.check()).rejects.toBeInstanceOf(ProviderFailure)
    await rm(folder, { recursive: true })
  })

  it('refuses one byte more than 8 MiB, told or not told beforehand', async () => {
    const url = await signed('tmp/1/large.png')
    expect((await put(url, new Uint8Array(8 * 1024 * 1024 + 1), PNG)).status).toBe(413)
    const chunk = new Uint8Array(1024 * 1024)
    const body = new ReadableStream({
      start(controller) {
        for (let count = 0; count < 9; count += 1) controller.enqueue(chunk)
        controller.close()
      },
    })
    const withoutLength = {
      method: 'PUT',
      headers: { 'content-type': PNG },
      body,
      duplex: 'half',
    } as RequestInit
    expect((await fetch(url, withoutLength)).status).toBe(413)
    expect(await office.office.uploads.storage.find('tmp/1/large.png')).toBeUndefined()
    expect(await leftovers()).toEqual([])
  })

  it('keeps nothing of an upload that is cut off', async () => {
    const url = await signed('tmp/1/cut.png')
    const sending = request(url, { method: 'PUT', headers: { 'content-type': PNG, 'content-length': 1_000 } })
    sending.on('error', () => {})
    sending.write('only this')
    await until(async () => (await leftovers()).length === 1)
    sending.destroy()
    await until(async () => (await leftovers()).length === 0)
    expect(await office.office.uploads.storage.find('tmp/1/cut.png')).toBeUndefined()
  })

  it.each([
    'tmp/1/../../escape.png',
    'tmp/1/%2e%2e/escape.png',
    'tmp/1/..%2f..%2fescape.png',
    '.partial/x.png',
    'x',
  ])('never writes or reads at %s', async (key) => {
    const { storage } = office.office.uploads
    await expect(storage.signUpload({ key, contentType: PNG, expiresInSeconds: 120 })).rejects.toThrow()
    await expect(
      storage.write(key, new Uint8Array(1), { contentType: PNG, cacheControl: '' }),
    ).rejects.toThrow()
    expect(await storage.find(key)).toBeUndefined()
  })

  it('lets pages of allowed origins upload, and no others', async () => {
    const preflight = async (origin: string) =>
      await fetch(await signed('tmp/1/cors.png'), {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'content-type',
        },
      })
    const allowed = await preflight('https://front.example')
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://front.example')
    expect(allowed.headers.get('access-control-allow-methods')).toBe('PUT')
    expect(allowed.headers.get('access-control-allow-headers')).toBe('content-type')
    const foreign = { 'content-type': PNG, origin: 'https://evil.example' }
    const refused = await fetch(await signed('tmp/1/cors.png'), {
      method: 'PUT',
      headers: foreign,
      body: new Uint8Array(3),
    })
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ error: 'cross-site' })
  })

  it('serves no temporary objects', async () => {
    const url = await signed('tmp/1/private.png')
    expect((await put(url, new Uint8Array(3), PNG)).status).toBe(200)
    expect((await fetch(url)).status).toBe(405)
  })
})
