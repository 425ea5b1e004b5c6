import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawAnswer } from '../../../../tests/raw-answer.ts'
import { recordedLog } from '../../../../tests/recorded-log.ts'
import { serveUpgrades } from '../connections/upgrades.ts'
import { createServer, type Server } from '../server.ts'

let server: Server
let port: number
const accepted: string[] = []
beforeAll(async () => {
  server = await createServer({ log: recordedLog().log, trustProxy: [], origins: [], secure: true })
  server.get('/fine', async () => ({ fine: true }))
  serveUpgrades(server, {
    path: '/socket',
    accept: (request, socket) => {
      accepted.push(String(request.headers.host))
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    },
    close: async () => {},
  })
  port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => server.close())

const ask = (lines: readonly string[], { target = '/fine', version = '1.1' } = {}) =>
  rawAnswer(port, [`GET ${target} HTTP/${version}`, ...lines, '', ''].join('\r\n'))
const CLOSE = 'Connection: close'

describe('the Host of a request', () => {
  it.each([
    ['none', []],
    ['two', ['Host: a.example', 'Host: b.example']],
    ['two that are the same', ['Host: a.example', 'hOST: a.example']],
    ['an empty one', ['Host:']],
    ['a blank in it', ['Host: a.example b.example']],
    ['a list', ['Host: a.example, b.example']],
    ['a path', ['Host: a.example/x']],
    ['somebody in front of it', ['Host: a@b.example']],
    ['a port of letters', ['Host: a.example:x']],
    ['letters outside of ASCII', ['Host: b\u00fccher.example']],
    ['an open bracket', ['Host: [::1']],
  ])('(%s) is refused in the usual shape, and hung up on', async (_case, lines) => {
    for (const target of ['/fine', '/nowhere']) {
      const { status, headers, body } = await ask([...lines], { target })
      expect([status, headers.connection]).toEqual([400, 'close'])
      expect(JSON.parse(body)).toMatchObject({ code: 400, error: 'malformed-request' })
      expect(headers['strict-transport-security']).toContain('max-age=')
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })

  it.each([
    'a.example',
    'A.EXAMPLE:443',
    'my_host',
    '127.0.0.1:3000',
    '[::1]:3000',
    '[::1]',
    'a.example:',
    'x%2Dy',
  ])('(%s) is taken', async (host) => {
    expect((await ask([`Host: ${host}`, CLOSE])).status).toBe(200)
  })

  it('need not be there in HTTP/1.0', async () => {
    expect((await ask([], { version: '1.0' })).status).toBe(200)
    expect((await ask(['Host: a', 'Host: b'], { version: '1.0' })).status).toBe(400)
  })

  it('is looked at before a WebSocket too', async () => {
    const upgrade = [
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]
    const target = '/socket'
    for (const lines of [[], ['Host: a', 'Host: b'], ['Host: a b']]) {
      const { status, body } = await ask([...lines, ...upgrade], { target })
      expect(status).toBe(400)
      expect(JSON.parse(body)).toMatchObject({ code: 400, error: 'malformed-request' })
    }
    expect(accepted).toEqual([])
    expect((await ask(['Host: a', ...upgrade], { target })).status).toBe(403)
    expect(accepted).toEqual(['a'])
  })
})

describe('an expectation', () => {
  it('that is unknown is refused in the usual shape', async () => {
    const { status, headers, body } = await ask(['Host: a', 'Expect: a-miracle'])
    expect([status, headers.connection]).toEqual([417, 'close'])
    expect(JSON.parse(body)).toMatchObject({ code: 417, error: 'malformed-request' })
    expect(headers['strict-transport-security']).toContain('max-age=')
  })
})
