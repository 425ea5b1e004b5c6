import { outside } from '../../platform/outside/outside.ts'
import type { Fetch } from '../../platform/outside/outside-fetch.ts'

const ANSWER_WITHIN_MS = 10_000

/** Posts one event. Follows no redirect, and reads nothing of the answer but its status. */
export function poster(fetchIt: Fetch) {
  return (url: string, headers: Record<string, string>, body: string): Promise<number> =>
    outside({ provider: 'webhook', action: 'deliver' }, async () => {
      const response = await fetchIt(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Atrium-Webhooks/1' },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      })
      await response.body?.cancel()
      return response.status
    })
}
