import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { type Answer, AtriumError, AtriumUnreachable, createAtriumClient, createCookieJar } from './index.ts'

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

let seen: Seen[] = []
let answer: (response: ServerResponse) => void = () => {}
let baseUrl = ''

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method, url, headers } = request
  seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
  answer(response)
})

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  seen = []
  answerJson(200, {})
})

function answerJson(status: number, body: unknown, headers: Record<string, string | string[]> = {}) {
  answer = (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
}

function client() {
  return createAtriumClient({ baseUrl })
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => expect.fail('it should have been rejected'),
    (error: unknown) => error,
  )
}

describe('a call', () => {
  it('sends the body as JSON and answers the body of the success', async () => {
    answerJson(200, { authData: { authMethod: 'magic_auth' } })
    const reply = await client().call('signIn', { email: 'ada@people.example' })
    expect(reply).toEqual({ authData: { authMethod: 'magic_auth' } })
    expect(seen).toMatchObject([
      { method: 'POST', url: '/auth/sign-in', body: '{"email":"ada@people.example"}' },
    ])
    expect(seen[0]?.headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' })
  })

  it('has no content type where it has no body', async () => {
    await client().call('getCurrentUser')
    await client().call('getUserInfo')
    expect(seen).toMatchObject([
      { method: 'POST', url: '/user/get', body: '' },
      { method: 'GET', url: '/api/v1/user-info', body: '' },
    ])
    for (const { headers } of seen) expect(headers).not.toHaveProperty('content-type')
  })

  it('sends a declared body even where nothing is in it', async () => {
    await client().call('devSignIn')
    expect(seen).toMatchObject([{ body: '{}', headers: { 'content-type': 'application/json' } }])
  })

  it('keeps the path of the base address', async () => {
    await createAtriumClient({ baseUrl: `${baseUrl}/office/` }).call('getCurrentUser')
    expect(seen[0]?.url).toBe('/office/user/get')
  })

  it('asks for credentials, through the given fetch', async () => {
    const requests: RequestInit[] = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      requests.push(init ?? {})
      return Response.json({})
    }
    await createAtriumClient({ baseUrl: '', fetch }).call('getCurrentUser')
    expect(requests).toMatchObject([{ credentials: 'include', method: 'POST' }])
  })

  it('answers undefined for a success without a body', async () => {
    answer = (response) => {
      response.writeHead(204).end()
    }
    expect(await client().call('getCurrentUser')).toBeUndefined()
  })
})

it('calls with a service token alone, with or without cookies', async () => {
  const cookies = createCookieJar()
  cookies.receive(['atrium_session=ats_1; Path=/'], new URL(baseUrl))
  expect(cookies.headerFor(new URL(baseUrl))).toBeDefined()
  await createAtriumClient({ baseUrl, serviceToken: 'atr_1', cookies }).call('listMembers')
  expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer atr_1' })
  expect(seen[0]?.headers).not.toHaveProperty('cookie')
})

describe('what makes something', () => {
  it('goes with a key of its own, or with the one of an earlier try; nothing else has one', async () => {
    await client().call('createRoom', { name: 'Library' })
    await client().call('createRoom', { name: 'Library' }, { idempotencyKey: 'first-try' })
    await client().call('getCurrentUser', {}, { idempotencyKey: 'first-try' })
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys.slice(1)).toEqual(['first-try', undefined])
  })

  it('can be tried again under the same key where no answer came', async () => {
    answer = (response) => {
      response.destroy()
    }
    const error = await failure(client().call('createRoom', { name: 'Library' }))
    expect(error).toMatchObject({ idempotencyKey: seen[0]?.headers['idempotency-key'] })
    // as the documents write it: the compiler holds that it may be handed on as it is
    const { idempotencyKey } = error as AtriumUnreachable
    await failure(client().call('createRoom', { name: 'Library' }, { idempotencyKey }))
    expect(seen[1]?.headers['idempotency-key']).toBe(idempotencyKey)
  })
})

describe('a refusal', () => {
  const body = {
    code: 400,
    message: 'Bad request',
    error: 'invalid-body',
    details: [{ field: 'displayName', message: 'too short' }],
    requestId: 'r-1',
  }

  it('rejects a call with everything it says', async () => {
    answerJson(400, body)
    const error = await failure(client().call('updateProfile', { displayName: 'x' }))
    expect(error).toBeInstanceOf(AtriumError)
    expect(error).toMatchObject({ ...body, status: 400, operationId: 'updateProfile' })
    expect(error).toMatchObject({ retryAfterSeconds: undefined })
  })

  it('tells when to come back', async () => {
    answerJson(429, { code: 429, message: 'Too many' }, { 'retry-after': '17' })
    expect(await failure(client().call('getCurrentUser'))).toMatchObject({
      status: 429,
      retryAfterSeconds: 17,
    })

    answerJson(503, { code: 503, message: 'Later' }, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' })
    expect(await failure(client().call('getCurrentUser'))).toMatchObject({
      status: 503,
      retryAfterSeconds: 0,
    })
  })

  it('takes its code from the status where the body says nothing', async () => {
    answerJson(403, null)
    expect(await failure(client().call('getCurrentUser'))).toMatchObject({ status: 403, code: 403 })
  })

  it('is an answer like any other to request', async () => {
    answerJson(401, { code: 401, message: 'No session' }, { 'x-probe': 'yes' })
    const refused = await client().request('getCurrentUser')
    expect(refused).toMatchObject({ status: 401, body: { code: 401, message: 'No session' } })
    expect(refused.headers.get('x-probe')).toBe('yes')
  })
})

describe('the office cannot be reached', () => {
  it('when no server listens', async () => {
    const away = createAtriumClient({ baseUrl: 'http://127.0.0.1:1' })
    const error = await failure(away.call('getCurrentUser'))
    expect(error).toBeInstanceOf(AtriumUnreachable)
    expect(error).toMatchObject({ operationId: 'getCurrentUser', status: undefined })
  })

  it.each([502, 200])('when %i is answered by something that speaks no JSON', async (status) => {
    answer = (response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
    }
    expect(await failure(client().call('getCurrentUser'))).toBeInstanceOf(AtriumUnreachable)
    expect(await failure(client().request('getCurrentUser'))).toMatchObject({ status })
  })

  it('when an answer that should have a body has none', async () => {
    answer = (response) => {
      response.writeHead(200).end()
    }
    expect(await failure(client().call('getCurrentUser'))).toBeInstanceOf(AtriumUnreachable)
  })

  it('when the connection breaks', async () => {
    answer = (response) => {
      response.destroy()
    }
    expect(await failure(client().call('getCurrentUser'))).toBeInstanceOf(AtriumUnreachable)
  })

  it('when the time is over', async () => {
    answer = () => {}
    const hasty = createAtriumClient({ baseUrl, timeoutMs: 20 })
    const error = await failure(hasty.call('getCurrentUser'))
    expect(error).toBeInstanceOf(AtriumUnreachable)
    expect(error).toMatchObject({ cause: { name: 'TimeoutError' } })

    const perCall = await failure(client().call('getCurrentUser', {}, { timeoutMs: 20 }))
    expect(perCall).toBeInstanceOf(AtriumUnreachable)
  })
})

it('rejects with the reason of the signal that aborted it', async () => {
  const controller = new AbortController()
  const reason = new Error('changed my mind')
  answer = () => controller.abort(reason)
  expect(await failure(client().call('getCurrentUser', undefined, { signal: controller.signal }))).toBe(
    reason,
  )
})

describe('with a cookie jar', () => {
  it('keeps the session and ends it', async () => {
    const cookies = createCookieJar()
    const person = createAtriumClient({ baseUrl, cookies })

    answerJson(200, {}, { 'set-cookie': ['atrium_session=s1; Path=/; HttpOnly', 'other=2; Path=/auth'] })
    await person.call('devSignIn')
    expect(cookies.get('atrium_session')).toBe('s1')

    answerJson(200, {}, { 'set-cookie': ['atrium_session=; Path=/; Max-Age=0'] })
    await person.call('getCurrentUser')
    await person.call('getCurrentUser')
    expect(seen.map(({ headers }) => headers.cookie)).toEqual([undefined, 'atrium_session=s1', undefined])
  })

  it('keeps the cookies of refusals too', async () => {
    const cookies = createCookieJar()
    answerJson(401, { code: 401, message: 'No' }, { 'set-cookie': 'a=1; Path=/' })
    await createAtriumClient({ baseUrl, cookies }).request('getCurrentUser')
    expect(cookies.get('a')).toBe('1')
  })

  it('keeps nothing without one', async () => {
    answerJson(200, {}, { 'set-cookie': 'a=1; Path=/' })
    const person = client()
    await person.call('getCurrentUser')
    await person.call('getCurrentUser')
    expect(seen[1]?.headers.cookie).toBeUndefined()
  })
})

/** Never run: the compiler is the test. */
export function typesFollowTheTable(office: ReturnType<typeof createAtriumClient>) {
  expectTypeOf(office.call<'createOrganization'>)
    .parameter(1)
    .toEqualTypeOf<{ name: string }>()
  // @ts-expect-error: the input is required
  void office.call('createOrganization')
  // @ts-expect-error: of the declared type
  void office.call('createOrganization', { name: 1 })
  // @ts-expect-error: nothing undeclared
  void office.call('createOrganization', { name: 'Ada', email: '' })
  // @ts-expect-error: takes no input
  void office.call('getCurrentUser', { id: '1' })
  // @ts-expect-error: no such operation
  void office.call('getNobody')
  void office.call('getCurrentUser', {}, { timeoutMs: 1 })
  void office.call('devSignIn')
}

it('types the success and the refusals of every operation', () => {
  type User = Awaited<ReturnType<typeof officeUser>>
  const officeUser = () => client().call('getCurrentUser')
  expectTypeOf<User['avatarUrl']>().toEqualTypeOf<string | null>()

  type SignedUp = Extract<Answer<'signUp'>, { status: 201 }>
  expectTypeOf<SignedUp['body']>().toEqualTypeOf<{
    code: number
    message: string
    authMethod?: 'sso'
  }>()
  expectTypeOf<Extract<Answer<'signUp'>, { status: 429 | 400 }>['body']['message']>().toEqualTypeOf<string>()
  expectTypeOf<Extract<Answer<'getCurrentUser'>, { status: 204 }>>().toBeNever()
})
