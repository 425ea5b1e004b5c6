import { isSafe, methods, operationEntries } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../tests/office.ts'
import { newFounder, newPerson, type Person } from '../../tests/people.ts'

const FRONT_END = 'https://office.example'
const ALLOWED = 'https://partner.example'

/** Every operation of the contract, by the rules that hold for all of them. */
describe('the guard', () => {
  let office: TestOffice
  let person: Person
  beforeAll(async () => {
    office = await openTestOffice({ settings: { FRONTEND_URL: FRONT_END, ALLOWED_ORIGINS: ALLOWED } })
    person = await newPerson(office)
  })
  afterAll(() => office.close())

  async function send(
    path: string,
    init: { method?: string; headers?: Record<string, string>; body?: string; cookie?: string },
  ) {
    const url = office.baseUrl + path.replaceAll(/\{\w+\}/g, '1')
    const headers = { ...init.headers, ...(init.cookie ? { cookie: `atrium_session=${init.cookie}` } : {}) }
    const response = await fetch(url, { method: init.method ?? 'POST', headers, body: init.body ?? null })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }

  const json = { 'content-type': 'application/json' }
  const guarded = operationEntries.filter(([, declared]) => declared.access.kind !== 'public')
  const unsafe = operationEntries.filter(([, declared]) => !isSafe(declared.method))

  describe.each(guarded)('%s', (_id, declared) => {
    it.each([
      ['no cookie', undefined],
      ['an empty one', ' '],
      ['an unknown one', `ats_${'A'.repeat(43)}`],
      ['a huge one', 'A'.repeat(3_000)],
      ['SQL', "' or 1=1 --"],
    ])('with %s answers 401, whatever the body', async (_name, cookie) => {
      const body = isSafe(declared.method) ? {} : { body: '{"broken', headers: json }
      const answer = await send(declared.path, {
        method: declared.method,
        ...body,
        ...(cookie ? { cookie } : {}),
      })
      expect(answer).toMatchObject({
        status: 401,
        body: { code: 401, message: expect.any(String), error: 'unauthenticated' },
      })
    })
  })

  describe.each(unsafe)('%s', (_id, declared) => {
    const cookie = () => {
      const value = person.cookie
      return declared.access.kind === 'public' ? {} : { cookie: value }
    }
    it.each([
      ['a foreign origin', { origin: 'https://evil.example' }],
      ['an origin that begins alike', { origin: `${FRONT_END}.evil.example` }],
      ['another scheme', { origin: 'http://office.example' }],
      ['another port', { origin: `${FRONT_END}:8443` }],
      ['origin null', { origin: 'null' }],
      ['a cross-site fetch without an origin', { 'sec-fetch-site': 'cross-site' }],
      ['a same-site fetch without an origin', { 'sec-fetch-site': 'same-site' }],
      ['a navigation', { 'sec-fetch-site': 'none' }],
    ])('refuses %s', async (_name, headers) => {
      const answer = await send(declared.path, { method: declared.method, headers, ...cookie() })
      expect(answer).toMatchObject({ status: 403, body: { code: 403, error: 'cross-site' } })
    })

    it.each([
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'text/json',
    ])('refuses a body of type %s, and none of that type', async (type) => {
      const typed = { method: declared.method, headers: { 'content-type': type }, ...cookie() }
      const answers = [await send(declared.path, { ...typed, body: '{}' }), await send(declared.path, typed)]
      for (const answer of answers) expect(answer).toMatchObject({ status: 415, body: { code: 415 } })
    })
  })

  it.each([FRONT_END, ALLOWED])('lets pages of %s call with credentials', async (origin) => {
    const answer = await send('/user/get', {
      headers: { origin, 'sec-fetch-site': 'cross-site' },
      cookie: person.cookie,
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
    expect(answer.headers.get('vary')).toContain('Origin')
  })

  it.each([
    '/api/v1/user-info',
    '/health/live',
    '/metrics',
    '/rest/v1/messages',
    '/storage/avatars/1/x.png',
    '/nowhere',
  ])('refuses pages of other origins before anything is looked at: GET %s', async (path) => {
    const answer = await send(path, {
      method: 'GET',
      headers: { origin: 'https://evil.example' },
      cookie: person.cookie,
    })
    expect(answer.status).toBe(403)
    expect(answer.body.message).toContain('ALLOWED_ORIGINS')
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://evil.example')
  })

  it.each(guarded)('%s with another method is 405, without a session too', async (_id, declared) => {
    const known = operationEntries.filter(([, { path }]) => path === declared.path)
    const others = methods.filter((method) => !known.some(([, one]) => one.method === method))
    for (const method of others) {
      const answer = await send(declared.path, { method })
      expect(answer).toMatchObject({ status: 405, body: { code: 405, error: 'method-not-allowed' } })
      const allowed = answer.headers.get('allow')?.split(', ') ?? []
      expect(methods.filter((one) => allowed.includes(one))).toEqual(
        methods.filter((one) => !others.includes(one)),
      )
    }
  })

  it.each([
    ['/', 'GET, HEAD, OPTIONS'],
    ['/webhook', 'POST, OPTIONS'],
    ['/webhook/recordings', 'POST, OPTIONS'],
    ['/internal/broker/subscribe', 'POST, OPTIONS'],
    ['/metrics', 'GET, HEAD, OPTIONS'],
    ['/health/live', 'GET, HEAD, OPTIONS'],
    ['/health/ready', 'GET, HEAD, OPTIONS'],
    ['/docs', 'GET, HEAD, OPTIONS'],
    ['/openapi.json', 'GET, HEAD, OPTIONS'],
    ['/auth/callback/provider-a', 'GET, HEAD, OPTIONS'],
    ['/storage/tmp/1/x', 'PUT, OPTIONS'],
    ['/connection/websocket', 'GET, HEAD, OPTIONS'],
    ['/sandbox/mail', 'GET, HEAD, OPTIONS'],
    ['/sandbox/sign-in', 'GET, HEAD, OPTIONS'],
    ['/sandbox/calendar', 'GET, HEAD, OPTIONS'],
    ['/sandbox/provider-a/auth', 'GET, HEAD, POST, OPTIONS'],
  ])('%s, which is no operation, takes %s, and another method is 405', async (path, allow) => {
    const answer = await send(path, { method: 'PATCH', headers: json, body: '{' })
    expect(answer).toMatchObject({ status: 405, body: { code: 405, error: 'method-not-allowed' } })
    expect(answer.headers.get('allow')).toBe(allow)
    const options = await send(path, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow])
  })

  it.each(['Bearer nope', 'bearer', 'BEARER atr_x'])(
    'never falls back from %j to a cookie',
    async (authorization) => {
      const { cookie } = person
      expect(await send('/user/get', { headers: { authorization }, cookie })).toMatchObject({
        status: 401,
        body: { error: 'unauthenticated' },
      })
      expect((await send('/user/get', { headers: { authorization: 'Basic eDp5' }, cookie })).status).toBe(200)
    },
  )

  it('answers another method in the form of PostgREST where a PostgREST client calls', async () => {
    const { token } = await (await newFounder(office)).browser.call('mintChatToken')
    const answer = await send('/rest/v1/rpc/open_dm', {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer).toMatchObject({ status: 405, body: { code: 'PGRST101' } })
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
  })

  it('takes an id of any length to the session before it looks at it', async () => {
    const path = `/members/${'9'.repeat(3_000)}/update`
    expect(await send(path, { headers: json, body: '{"role":"member"}' })).toMatchObject({ status: 401 })
    const { cookie } = await newFounder(office)
    expect(await send(path, { headers: json, body: '{"role":"member"}', cookie })).toMatchObject({
      status: 400,
      body: { error: 'invalid-input', details: [{ field: 'id' }] },
    })
  })

  it('answers malformed bodies 400, too large ones 413, empty ones as none', async () => {
    const { cookie } = person
    expect(await send('/user/update', { headers: json, body: '{"displayName":', cookie })).toMatchObject({
      status: 400,
      body: { code: 400, error: 'malformed-json' },
    })
    expect(
      await send('/user/update', {
        headers: json,
        body: JSON.stringify({ displayName: 'x'.repeat(300_000) }),
        cookie,
      }),
    ).toMatchObject({
      status: 413,
      body: { code: 413 },
    })
    expect(await send('/user/update', { headers: json, body: 'null', cookie })).toMatchObject({ status: 400 })
    expect(await send('/user/update', { headers: json, body: '[]', cookie })).toMatchObject({ status: 400 })
    expect(await send('/user/update', { cookie })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'displayName' }] },
    })
    expect(await send('/user/get', { headers: json, body: '', cookie })).toMatchObject({ status: 200 })
  })

  it('is not fooled by __proto__', async () => {
    const body = '{"__proto__": {"displayName": "Mallory"}, "constructor": {"prototype": {"role": "admin"}}}'
    expect(await send('/user/update', { headers: json, body, cookie: person.cookie })).toMatchObject({
      status: 400,
    })
    expect(({} as { role?: string }).role).toBeUndefined()
  })

  it('answers a path it does not know 404 in the shape of every error, with hardened headers', async () => {
    const answer = await send('/no/such/path', { method: 'GET' })
    expect(answer).toMatchObject({
      status: 404,
      body: { code: 404, error: 'not-found', requestId: expect.any(String) },
    })
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-request-id')).toBe(answer.body.requestId)
  })
})
