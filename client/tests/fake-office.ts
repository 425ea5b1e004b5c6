import { type AtriumClient, createAtriumClient } from '../index.ts'
import { createListeners } from '../live/listeners.ts'
import type { Realtime, RealtimeEvents } from '../realtime.ts'

/** One request as the office would see it. */
export interface Asked {
  path: string
  headers: Headers
  body: Record<string, unknown>
}

export interface Answered {
  status?: number
  body?: unknown
  headers?: Record<string, string>
}

/** What a path answers; thrown: the office cannot be reached. */
export type Answers = Record<string, (asked: Asked) => Answered | Promise<Answered>>

/** A client of an office that is a table of answers. */
export function fakeOffice(answers: Answers): { client: AtriumClient; asked: Asked[] } {
  const asked: Asked[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(String(input))
    const text = typeof init?.body === 'string' && init.body !== '' ? init.body : '{}'
    const one = { path: pathname, headers: new Headers(init?.headers), body: JSON.parse(text) }
    asked.push(one)
    const answer = answers[pathname]
    const { status = 200, body, headers = {} } = answer ? await answer(one) : { status: 404, body: {} }
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers })
  }
  return { client: createAtriumClient({ baseUrl: 'http://office.example', fetch }), asked }
}

/** A connection on which the test publishes. */
export function fakeLive() {
  const listeners = createListeners<RealtimeEvents>()
  const followed = new Set<string>()
  const live: Realtime = {
    organizationId: 'org_1',
    userId: 'user_1',
    sessionId: '7',
    state: 'connected',
    on: listeners.on,
    follow: (ids) => {
      for (const id of ids) followed.add(id)
    },
    unfollow: (ids) => {
      for (const id of ids) followed.delete(id)
    },
    statusOf: () => undefined,
    setStatus: async (status) => ({ userId: 'user_1', status }),
    reconnect: async () => {},
    close: () => {},
  }
  return { live, followed, emit: listeners.emit }
}
