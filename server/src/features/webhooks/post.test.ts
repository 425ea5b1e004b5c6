import { afterEach, expect, it, vi } from 'vitest'
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
  })
  expect(await post('https://hooks.example/atrium', { 'webhook-id': 'e1' }, '{}')).toBe(302)
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
