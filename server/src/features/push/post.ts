import type { Clock } from '../../platform/clock.ts'
import { deepestCause } from '../../platform/outside/deepest-cause.ts'
import { outside } from '../../platform/outside/outside.ts'
import type { Fetch } from '../../platform/outside/outside-fetch.ts'
import { retryAfterMs } from '../../platform/outside/retry-after.ts'

const ANSWER_WITHIN_MS = 5_000

/** What a push service has answered; or its name leads to an address that is not public. */
export type Answer = { status: number; retryAfterMs: number } | 'not-public'

/** @throws where there was no answer within the time */
export type Post = (endpoint: string, headers: Record<string, string>, body: Buffer) => Promise<Answer>

/** Posts one push (RFC 8030), and follows no redirect. */
export function poster(fetchIt: Fetch, clock: Clock): Post {
  return async (endpoint, headers, body) => {
    try {
      return await outside({ provider: 'push service', action: 'push' }, async () => {
        const response = await fetchIt(endpoint, {
          method: 'POST',
          headers: {
            ...headers,
            'content-type': 'application/octet-stream',
            'content-encoding': 'aes128gcm',
            'user-agent': 'Atrium-Push/1',
          },
          body: new Uint8Array(body),
          redirect: 'manual',
          signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        })
        await response.body?.cancel()
        const askedFor = retryAfterMs(response.headers.get('retry-after'), clock.now())
        return { status: response.status, retryAfterMs: askedFor }
      })
    } catch (error) {
      if ((deepestCause(error) as Error).name === 'AddressNotPublic') return 'not-public'
      throw error
    }
  }
}
