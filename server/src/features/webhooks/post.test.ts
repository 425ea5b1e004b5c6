import { afterEach, expect, it, vi } from 'vitest'
import { testClock } from '../../../tests/office.ts'
import { poster } from './post.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('waits ten seconds for an answer, follows no redirect, and says who posts', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const asked: RequestInit[] = []
  const post = poster(async (_url, init) => {
    asked.push(init as RequestInit)
    return new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } })
  }, testClock())
  expect(await post('https://hooks.example/atrium', { 'webhook-id': 'e1' }, '{}')).toEqual({
    status: 302,
    retryAfterMs: 0,
    text: '',
  })
  expect(timeout.mock.calls).toEqual([[10_000]])
  expect(asked).toEqual([
    {
      method: 'POST',
      headers: {
        'webhook-id': 'e1',
        'content-type': 'application/json',
        'user-agent': 'Atrium-Webhooks/1',
      },
      body: '{}',
      redirect: 'manual',
      signal: timeout.mock.results[0]?.value,
    },
  ])
})

it('reads as much of an answer as it is asked to, of one that never ends too', async () => {
  const fill = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new TextEncoder().encode('x'.repeat(1_000))),
      }),
    )
  const post = poster(async () => fill(), testClock())
  expect((await post('https://hooks.example/', {}, '{}')).text).toBe('')
  expect((await post('https://hooks.example/', {}, '{}', 2_500)).text).toBe('x'.repeat(2_500))
})

it.each([
  ['120', 120_000],
  ['Thu, 26 Nov 2026 09:00:30 GMT', 30_000],
  ['Thu, 26 Nov 2026 08:00:00 GMT', 0],
  ['-5', 0],
  ['soon', 0],
])('reads how long it is to wait: %s', async (header, wanted) => {
  const now = () => new Date('2026-11-26T09:00:00.000Z')
  const post = poster(async () => new Response(null, { status: 503, headers: { 'retry-after': header } }), {
    now,
  })
  expect((await post('https://hooks.example/', {}, '{}')).retryAfterMs).toBe(wanted)
})
