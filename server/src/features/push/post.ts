import type { Clock } from '../../platform/clock.ts'
import { deepestCause } from '../../platform/outside/deepest-cause.ts'
import type { Fetch } from '../../platform/outside/outside-fetch.ts'
import { type PostAnswer, postOutside } from '../../platform/outside/post-outside.ts'

const ANSWER_WITHIN_MS = 5_000

/** What a push service has answered; or its name leads to an address that is not public. */
export type Answer = Pick<PostAnswer, 'status' | 'retryAfterMs'> | 'not-public'

/** @throws where there was no answer within the time */
export type Post = (endpoint: string, headers: Record<string, string>, body: Buffer) => Promise<Answer>

/** Posts one push (RFC 8030). */
export function poster(fetchIt: Fetch, clock: Clock): Post {
  return async (endpoint, headers, body) => {
    try {
      return await postOutside({ fetchIt, clock }, endpoint, {
        call: { provider: 'push service', action: 'push' },
        headers: {
          ...headers,
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          'user-agent': 'Atrium-Push/1',
        },
        body: new Uint8Array(body),
        withinMs: ANSWER_WITHIN_MS,
      })
    } catch (error) {
      if ((deepestCause(error) as Error).name === 'AddressNotPublic') return 'not-public'
      throw error
    }
  }
}
