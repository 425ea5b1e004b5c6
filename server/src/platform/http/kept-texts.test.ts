import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'
import { expect, it, onTestFinished, vi } from 'vitest'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { keepTexts } from './kept-texts.ts'
import { createServer } from './server.ts'

it('a text that is kept is compressed once in each form, however often it is asked for', async () => {
  const compressions = [vi.spyOn(zlib, 'brotliCompress'), vi.spyOn(zlib, 'gzip')]
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
  const server = await createServer({ log: recordedLog().log, trustProxy: [], origins: [], secure: false })
  onTestFinished(() => server.close())
  await server.register(async (scope) => {
    keepTexts(scope)
    scope.get('/text', async (_request, reply) => reply.type('text/plain').send('atrium '.repeat(1_000)))
  })
  for (const form of ['br', 'gzip']) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => server.inject({ url: '/text', headers: { 'accept-encoding': form } })),
    )
    for (const { statusCode, headers } of answers)
      expect([statusCode, headers['content-encoding']]).toEqual([200, form])
  }
  expect(compressions.map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})
