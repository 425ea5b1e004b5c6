import { afterEach, describe, expect, it } from 'vitest'
import { ProviderFailure } from '../refusal.ts'
import { allowance, type JsonRequest, outsideJson } from './outside-json.ts'

describe('outsideJson', () => {
  let answers: (() => Response | Promise<Response>)[] = []
  let requests: RequestInit[] = []
  afterEach(() => {
    answers = []
    requests = []
  })
  const read = outsideJson({
    provider: 'somebody',
    async fetch(_url, init) {
      requests.push(init)
      const next = answers.shift()
      if (!next) throw new Error('asked too often')
      return await next()
    },
    asksForPatience: ({ status }) => status === 403,
  })
  const request = (over: Partial<JsonRequest> = {}): JsonRequest => ({
    url: new URL('https://vendor.example/x'),
    accessToken: 'canary-token',
    allowance: allowance(),
    ...over,
  })
  const json = (body: unknown, init?: ResponseInit) => () => new Response(JSON.stringify(body), init)

  it('sends the token as a bearer and follows no redirect', async () => {
    answers = [json({ ok: 1 })]
    expect(await read(request({ headers: { prefer: 'x' } }))).toEqual({ status: 200, body: { ok: 1 } })
    expect(requests[0]).toMatchObject({
      redirect: 'manual',
      headers: { authorization: 'Bearer canary-token', prefer: 'x' },
    })
  })

  it.each([401, 404, 410, 400, 302])('answers %s as it is, once', async (status) => {
    answers = [json({ why: status }, { status })]
    expect(await read(request())).toEqual({ status, body: { why: status } })
  })

  it('asks three times, and says what it was without what was sent or read', async () => {
    answers = [
      json({}, { status: 500 }),
      () => new Response('{"secret": canary-body'),
      () => Promise.reject(new TypeError('canary-token is not a header')),
    ]
    const failure = await read(request()).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ProviderFailure)
    expect(requests).toHaveLength(3)
    const { cause } = failure as ProviderFailure
    expect(String(cause)).not.toContain('canary')
    expect(String(cause)).toContain('TypeError')
  })

  it('waits for as long as it is told, by seconds or by a date', async () => {
    for (const until of [() => '1', () => new Date(Date.now() + 2_000).toUTCString()]) {
      answers = [json({}, { status: 429, headers: { 'retry-after': until() } }), json({ ok: 1 })]
      const began = performance.now()
      expect((await read(request())).status).toBe(200)
      expect(performance.now() - began).toBeGreaterThan(900)
    }
  })

  it('does not wait for a server that wants a minute, nor beyond its deadline', async () => {
    answers = [json({}, { status: 429, headers: { 'retry-after': '60' } })]
    await expect(read(request())).rejects.toThrow(ProviderFailure)
    answers = [json({}, { status: 503, headers: { 'retry-after': '4' } }), json({ ok: 1 })]
    await expect(
      read(request({ allowance: { ...allowance(), deadline: AbortSignal.timeout(100) } })),
    ).rejects.toThrow(ProviderFailure)
    expect(answers).toHaveLength(1)
  })

  it('takes no more than 8 MB, whether that is announced or not', async () => {
    const part = new Uint8Array(1024 * 1024).fill(32)
    const endless = () => {
      let pulled = 0
      return new Response(
        new ReadableStream({
          pull(controller) {
            pulled += 1
            if (pulled > 10) controller.close()
            else controller.enqueue(part)
          },
        }),
        { headers: { 'content-length': '1', 'content-encoding': 'identity' } },
      )
    }
    answers = [endless, endless, endless]
    await expect(read(request())).rejects.toThrow(ProviderFailure)
  })

  it('takes no more than 32 MB for all pages of a question', async () => {
    const page = json('x'.repeat(7 * 1024 * 1024))
    const asked = request()
    for (let taken = 0; taken < 4; taken += 1) {
      answers = [page]
      expect((await read(asked)).status).toBe(200)
    }
    answers = [page, page, page]
    await expect(read(asked)).rejects.toThrow(ProviderFailure)
  })
})
