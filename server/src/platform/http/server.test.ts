import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { closed } from '../../../tests/closed.ts'
import { type RecordedLog, recordedLog } from '../../../tests/recorded-log.ts'
import { until } from '../../../tests/until.ts'
import { Refusal } from '../refusal.ts'
import { askerOf } from './request-record.ts'
import { createServer, type Server } from './server.ts'

const LIMIT_BYTES = 256 * 1024
const ORIGIN = 'https://app.example'

let server: Server
let url: string
let recorded: RecordedLog
beforeEach(async () => {
  recorded = recordedLog()
  server = await createServer({ log: recorded.log, trustProxy: [], origins: [ORIGIN], secure: true })
  server.get('/fine', async () => ({ fine: true }))
  server.post('/echo', async (request) => ({ body: request.body ?? null }))
  server.get('/refused', async () => {
    throw new Refusal('unavailable', 'Not now', { retryAfterSeconds: 3, detail: 'inner' })
  })
  server.get('/strangers', async () => {
    throw Refusal.of('unauthenticated')
  })
  server.get('/broken', async () => {
    throw new Error('canary of a defect')
  })
  server.get<{ Params: { id: string } }>('/things/:id', async (request) => ({ id: request.params.id }))
  Object.assign(server.server, { connectionsCheckingInterval: 50 })
  url = await server.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(() => server.close())

/** Sends text as it is, and answers all that came back until the server hung up. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk))
  socket.write(text)
  await closed(socket)
  return answer
}

const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
const preflight = (origin: string) =>
  fetch(`${url}/echo`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  })
const answerOf = async (method: string, headers: Record<string, string>) => {
  const { statusCode: status, body } = await server.inject({ method: method as 'GET', url: '/echo', headers })
  return { status, body: body && JSON.parse(body) }
}
const post = (body: BodyInit, init: RequestInit = {}) =>
  fetch(`${url}/echo`, { method: 'POST', headers: { 'content-type': 'application/json' }, body, ...init })

it('says to programs that are not signed in what they may come with', async () => {
  const challenge = async (headers: Record<string, string>) =>
    (await server.inject({ url: '/strangers', headers })).headers['www-authenticate']
  expect(await challenge({})).toBe('Bearer')
  expect(await challenge({ authorization: 'Bearer old' })).toBe('Bearer error="invalid_token"')
})

it('refuses pages of other origins in the form of the contract, whatever they ask', async () => {
  for (const method of ['OPTIONS', 'GET', 'POST', 'DELETE']) {
    for (const origin of ['https://other.example', 'null', '']) {
      const { status, body } = await answerOf(method, { origin })
      expect([method, status]).toEqual([method, 403])
      expect(body).toMatchObject({ code: 403, requestId: expect.any(String) })
    }
  }
  expect((await answerOf('OPTIONS', { origin: ORIGIN })).status).toBe(204)
})

describe('every reply', () => {
  it('arrives as it is and of the length that it says, long or short', async () => {
    for (const body of ['ü🦊', Array(4).fill('ü🦊'.repeat(5_000))]) {
      const answer = await post(JSON.stringify(body))
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(answer.headers.get('content-length')).toBe(String(bytes.length))
      expect(JSON.parse(bytes.toString())).toEqual({ body })
    }
  })

  it.each([
    ['/fine', 200],
    ['/nowhere', 404],
    ['/%zz', 400],
    ['/things/%c3%28', 400],
    ['/refused', 503],
    ['/broken', 500],
  ])('to %s (%i) can be neither cached nor misread, and has an id of its own', async (path, status) => {
    const answers = await Promise.all([fetch(url + path), fetch(url + path)])
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    expect(new Set(ids).size).toBe(2)
    for (const { status: found, headers } of answers) {
      expect(found).toBe(status)
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('server')).toBeNull()
    }
    const body = (await answers[0]?.json()) as { requestId?: string; code?: number }
    if (status !== 200) expect(body).toMatchObject({ code: status, requestId: ids[0] })
  })

  it('keeps to https where the office is reached by it, and only there', async () => {
    expect((await fetch(`${url}/fine`)).headers.get('strict-transport-security')).toContain(
      'max-age=31536000',
    )
    const plain = await createServer({ log: recorded.log, trustProxy: [], origins: [], secure: false })
    plain.get('/fine', async () => ({}))
    const answer = await plain.inject('/fine')
    await plain.close()
    expect(answer.headers['strict-transport-security']).toBeUndefined()
  })

  it('takes no id from a client', async () => {
    const answer = await fetch(`${url}/fine`, { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } })
    expect(answer.headers.get('x-request-id')).not.toBe('mine')
  })

  it('takes the id that a trusted proxy has given, where it is one, and names who and where from in its line', async () => {
    const own = recordedLog()
    const behind = await createServer({ log: own.log, trustProxy: ['loopback'], origins: [], secure: false })
    behind.get('/fine', async (request) => {
      askerOf.write(request, { organization: '7', person: '8' })
      return {}
    })
    const ask = (id: string) =>
      behind.inject({
        url: '/fine?canary',
        headers: { 'x-request-id': id, 'x-forwarded-for': '203.0.113.9' },
      })
    const traceId = 'Root=1-67891233-abcdef012345678912345678'
    expect((await ask(traceId)).headers['x-request-id']).toBe(traceId)
    for (const id of ['short', 'x'.repeat(200), 'with a blank in it', 'canary\u00e4\u00f6\u00fc-not-ascii'])
      expect((await ask(id)).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    const elsewhere = await behind.inject({
      url: '/fine',
      remoteAddress: '198.51.100.7',
      headers: { 'x-request-id': traceId },
    })
    expect(elsewhere.headers['x-request-id']).not.toBe(traceId)
    await behind.close()
    expect(own.lines[0]).toMatchObject({
      ...{ msg: 'request', requestId: traceId, method: 'GET', route: '/fine', status: 200 },
      ...{ ms: expect.any(Number), network: '203.0.113.9', organization: '7', person: '8' },
    })
    expect(own.text()).not.toContain('canary')
  })

  it.each(['https://evil.example', 'null'])(
    'to pages of %s is a refusal before any handler, which they can read, and so is its preflight',
    async (origin) => {
      const answer = await fetch(`${url}/fine`, { headers: { origin } })
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, origin])
      expect(await answer.json()).toMatchObject({
        code: 403,
        error: 'cross-site',
        message: expect.stringContaining('ALLOWED_ORIGINS'),
      })
      expect((await fetch(`${url}/nowhere`, { headers: { origin } })).status).toBe(403)
      const { status, headers } = await preflight(origin)
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin])
      expect(headers.get('access-control-max-age')).toBe('0')
      const lines = recorded.lines.filter(({ msg }) => String(msg).includes('ALLOWED_ORIGINS'))
      expect(lines).toEqual([expect.objectContaining({ origin })])
    },
  )

  it('to many strange origins does not fill the log', async () => {
    for (let count = 0; count < 50; count += 1)
      await server.inject({ url: '/fine', headers: { origin: `https://evil-${count}.example` } })
    expect(recorded.lines.filter(({ msg }) => String(msg).includes('ALLOWED_ORIGINS'))).toHaveLength(20)
  })

  it('names the origin that it depends on, for any origin', async () => {
    expect((await fetch(`${url}/fine`)).headers.get('vary')).toBe('Origin')
    const { headers } = await fetch(`${url}/fine`, { headers: { origin: ORIGIN } })
    expect(headers.get('vary')).toBe('Origin')
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN)
    expect(headers.get('access-control-allow-credentials')).toBe('true')
  })

  it('is preceded by a preflight that browsers may keep ten minutes, and shows scripts limits and request id', async () => {
    const { status, headers } = await preflight(ORIGIN)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, ORIGIN])
    expect(headers.get('access-control-allow-headers')).toBe('content-type, idempotency-key')
    expect(headers.get('access-control-max-age')).toBe('600')
    const plain = await fetch(`${url}/fine`, { headers: { origin: ORIGIN } })
    const exposed = plain.headers.get('access-control-expose-headers')?.split(', ')
    for (const name of ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'x-request-id'])
      expect(exposed).toContain(name)
  })
})

describe('a failed request', () => {
  it('says nothing of a defect to the caller, and all of it to the log', async () => {
    const answer = await fetch(`${url}/broken?token=canary-of-an-address`)
    const body = (await answer.json()) as { requestId: string }
    expect(body).toEqual({
      code: 500,
      message: 'Internal error',
      error: 'internal-error',
      requestId: body.requestId,
    })
    const lines = recorded.lines.filter((line) => line.requestId === body.requestId)
    expect(lines.map(({ msg }) => msg)).toEqual(['request failed', 'request'])
    expect(JSON.stringify(lines)).toContain('canary of a defect')
    expect(recorded.text()).not.toContain('canary-of-an-address')
  })

  it('says when to come back', async () => {
    const answer = await fetch(`${url}/refused`)
    expect(answer.headers.get('retry-after')).toBe('3')
    expect(await answer.json()).toMatchObject({ code: 503, message: 'Not now', error: 'unavailable' })
  })
})

describe('methods', () => {
  it('HEAD answers as GET does, without the body', async () => {
    const [head, get] = await Promise.all([fetch(`${url}/fine`, { method: 'HEAD' }), fetch(`${url}/fine`)])
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    expect(await head.text()).toBe('')
    expect((await fetch(`${url}/nowhere`, { method: 'HEAD' })).status).toBe(404)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'PURGE', 'QUERY'])(
    '%s on a path that is only read is refused with the methods that there are',
    async (method) => {
      const [known, unknown] = [await ask(method, '/fine'), await ask(method, '/nowhere')]
      expect([known.status, known.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
      expect(known.body).toMatchObject({ code: 405, error: 'method-not-allowed' })
      expect([unknown.status, unknown.headers.allow]).toEqual([404, undefined])
      expect(unknown.body).toMatchObject({ code: 404, error: 'not-found', message: 'There is nothing here' })
    },
  )

  it('are refused before a body is looked at', async () => {
    const broken = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }
    expect((await fetch(`${url}/fine`, broken)).status).toBe(405)
    expect((await fetch(`${url}/nowhere`, broken)).status).toBe(404)
  })

  it('of a path with parameters and of one that is only written are known too', async () => {
    expect((await ask('POST', '/things/7?a=b')).headers.allow).toBe('GET, HEAD, OPTIONS')
    const { status, headers } = await ask('GET', '/echo')
    expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS'])
    const head = await ask('HEAD', '/echo')
    expect([head.status, head.headers.allow, head.body]).toEqual([405, 'POST, OPTIONS', undefined])
  })

  it('are what OPTIONS answers where it is no preflight', async () => {
    const { status, headers, body } = await ask('OPTIONS', '/echo')
    expect([status, headers.allow, body]).toEqual([204, 'POST, OPTIONS', undefined])
    const fromPage = await fetch(`${url}/echo`, { method: 'OPTIONS', headers: { origin: ORIGIN } })
    expect([fromPage.status, fromPage.headers.get('allow')]).toEqual([204, 'POST, OPTIONS'])
    expect((await ask('OPTIONS', '/nowhere')).status).toBe(404)
  })

  async function ask(method: string, path: string) {
    const sent = httpRequest(url + path, { method, agent: false }).end()
    const [answer] = await once(sent, 'response')
    let text = ''
    for await (const chunk of answer) text += chunk
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    return { status: answer.statusCode, headers: answer.headers, body }
  }

  it('that HTTP does not know are refused in the usual shape', async () => {
    const answer = await sendRaw('BREW /fine HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(bodyOf(answer)).toMatchObject({ code: 400, error: 'malformed-request' })
  })
})

describe('what is no proper request', () => {
  beforeEach(() => {
    // what takes half a minute in earnest
    server.server.requestTimeout = 600
    server.server.headersTimeout = 400
  })

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    [
      'two lengths',
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a line break in a header', 'GET /fine HTTP/1.1\r\nHost: x\r\nX-A: a\rb\r\n\r\n', 400],
    ['endless headers', `GET /fine HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'endless words beside a chunk',
      `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;a=${'b'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
      413,
    ],
  ])('(%s) is refused in the usual shape and hung up on', async (_case, text, status) => {
    const answer = await sendRaw(text)
    expect(answer.startsWith(`HTTP/1.1 ${status} `)).toBe(true)
    expect(answer).toMatch(/\r\nconnection: close\r\n/)
    expect(answer).toContain('\r\nstrict-transport-security: max-age=31536000; includeSubDomains\r\n')
    expect(bodyOf(answer)).toEqual({ code: status, message: expect.any(String), error: 'malformed-request' })
    expect((await fetch(`${url}/fine`)).status).toBe(200)
  })

  it.each([
    ['its headers', 'GET /fine HTTP/1.1\r\nHost: x\r\nX-'],
    [
      'its body',
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
  ])('(never at the end of %s) is cut', async (_case, text) => {
    const answer = await sendRaw(text)
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(bodyOf(answer)).toMatchObject({ code: 408 })
  })

  it('has half a minute to arrive, headers and body', async () => {
    const plain = await createServer({ log: recorded.log, trustProxy: [], origins: [], secure: false })
    const { headersTimeout, requestTimeout } = plain.server
    await plain.close()
    // Node exchanges the two where the first is longer: a body would then have its time
    expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 30_000, requestTimeout: 30_000 })
  })

  it('is held for a minute by a client that takes nothing of its answer, and no longer', async () => {
    const office = await createServer({ log: recorded.log, trustProxy: [], origins: [], secure: false })
    expect(office.server.timeout).toBe(60_000)
    office.server.timeout = 300
    // more than fits into the buffers of both sides
    office.get('/long', async () => Buffer.alloc(50_000_000))
    let taken: Socket | undefined
    office.server.on('connection', (socket: Socket) => {
      taken = socket
    })
    const { port } = new URL(await office.listen({ port: 0, host: '127.0.0.1' }))
    const reader = connect(Number(port), '127.0.0.1')
    reader.on('error', () => {})
    reader.pause()
    reader.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => taken?.destroyed === true)
    reader.destroy()
    await office.close()
  })

  it.each([
    ['headers', 'GET /fine HTTP/1.1\r\nHost: x\r\n', 'X-A: a\r\n'],
    [
      'body',
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999\r\n\r\n',
      ' ',
    ],
    [
      'body in chunks',
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      '1\r\n \r\n',
    ],
  ])('(its %s trickle in byte by byte) is cut too', async (_case, beginning, drop) => {
    let answer = ''
    // a drop that is still under way when the connection is closed resets it, and may take the answer with it
    for (let tries = 0; tries < 10 && answer === ''; tries += 1) answer = await trickle(beginning, drop)
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  })

  /** What is answered until the connection is closed. */
  async function trickle(beginning: string, drop: string): Promise<string> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk))
    socket.write(beginning)
    const drip = setInterval(() => socket.write(drop), 20)
    await closed(socket)
    clearInterval(drip)
    return answer
  }
})

describe('a body', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
  ])('that is %s is none', async (_case, body) => {
    const answer = await fetch(`${url}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    })
    expect(await answer.json()).toEqual({ body: null })
  })

  it.each(['{"a":', 'null x', '{"a":1}}', "{'a':1}", '\u0000'])('%j is malformed', async (text) => {
    const answer = await post(text)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 400, error: 'malformed-json' })
  })

  it.each([
    ['half a character', Buffer.from([0x22, 0xc3, 0x22])],
    ['Latin-1', Buffer.from('"Zoë"', 'latin1')],
    ['a surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ])('that holds %s is not UTF-8, and malformed', async (_case, bytes) => {
    const answer = await post(new Uint8Array(bytes))
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 400, error: 'malformed-json' })
  })

  const nested = (depth: number, inside = '') => `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`

  it.each([
    ['lists', nested(60_000)],
    ['objects', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
    ['lists after a text', `["\\"[", ${nested(32)}]`],
  ])('that nests %s without end is not looked at', async (_case, text) => {
    const answer = await post(text)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 400, error: 'invalid-input' })
  })

  it.each([
    ['as deep as that', nested(32)],
    ['only in its texts', nested(2, `"${'[{'.repeat(200)}", "\\"${'['.repeat(200)}"`)],
    ['often, and not deep', `[${Array(200).fill('[{}]').join()}]`],
  ])('that nests %s is taken', async (_case, text) => {
    const answer = await post(text)
    expect(await answer.json()).toEqual({ body: JSON.parse(text) })
  })

  it.each(['gzip', 'br', 'GZIP, identity'])('that is encoded (%s) is unsupported', async (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    const answer = await post('{}', { headers })
    expect(answer.status).toBe(415)
    expect(await answer.json()).toMatchObject({ code: 415, error: 'encoded-body' })
    const plain = await post('{}', { headers: { ...headers, 'content-encoding': 'identity' } })
    expect(plain.status).toBe(200)
  })

  it('without a type is unsupported', async () => {
    const answer = await fetch(`${url}/echo`, { method: 'POST', body: new Uint8Array([0x7b, 0x7d]) })
    expect(answer.status).toBe(415)
  })

  it('never reaches a prototype', async () => {
    const answer = await post('{"__proto__":{"a":1},"b":[{"\\u005f_proto__":1}],"c":1}')
    expect(await answer.json()).toEqual({ body: { b: [{}], c: 1 } })
  })

  it('has its other members whatever they are called', async () => {
    const text = '{"constructor":{"prototype":{"b":1}},"c":1}'
    expect(await (await post(text)).text()).toBe(`{"body":${text}}`)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'of type %s is unsupported',
    async (type) => {
      const answer = await post('a=1', { headers: { 'content-type': type } })
      expect(answer.status).toBe(415)
      expect(await answer.json()).toMatchObject({ code: 415, error: 'unsupported' })
    },
  )

  it('may be as large as the limit', async () => {
    const answer = await post(JSON.stringify(Array(15).fill('x'.repeat(16_384))).padEnd(LIMIT_BYTES))
    expect(answer.status).toBe(200)
  })

  it.each([LIMIT_BYTES + 1, 10 * LIMIT_BYTES, 40 * 1024 * 1024])(
    'of %i bytes is too large, and its sender sees that',
    async (size) => {
      const text = 'x'.repeat(size)
      const chunks = new Blob([text]).stream()
      const declared = await post(text)
      const chunked = await post(chunks, { duplex: 'half' } as RequestInit)
      for (const answer of [declared, chunked]) {
        expect(answer.status).toBe(413)
        expect(await answer.json()).toMatchObject({ code: 413, error: 'too-large' })
      }
      expect((await post('{}')).status).toBe(200)
    },
  )
})

describe('headers of a proxy', () => {
  async function warningsOf(trustProxy: string[], headers: Record<string, string>[]) {
    const recorded = recordedLog()
    const server = await createServer({ log: recorded.log, trustProxy, origins: [], secure: false })
    onTestFinished(() => server.close())
    server.get('/here', async () => 'here')
    const at = await server.listen({ port: 0, host: '127.0.0.1' })
    for (const one of headers) await (await fetch(`${at}/here`, { headers: one })).text()
    return recorded.lines.filter(({ msg }) => String(msg).includes('TRUST_PROXY')).length
  }

  it('from an untrusted neighbour are said once', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    expect(await warningsOf([], [{}, forwarded, forwarded, { forwarded: 'for=203.0.113.8' }])).toBe(1)
    expect(await warningsOf(['127.0.0.1'], [forwarded])).toBe(0)
    expect(await warningsOf([], [{}])).toBe(0)
  })
})
