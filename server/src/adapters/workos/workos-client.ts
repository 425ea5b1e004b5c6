import { WorkOS } from '@workos-inc/node'
import { boundedFetch } from '../../platform/outside/outside-fetch.ts'

/** A sign-in waits no longer than this for one call. */
const TIMEOUT_MS = 5_000
/** A page of a hundred people is less than 100 kB. The SDK itself bounds nothing. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024

/**
 * The SDK, held to one try within five seconds and answers of 8 MiB: left to itself it tries four times, for minutes.
 * @param apiUrl where WorkOS answers; another address for tests and proxies
 */
export function workosClient(options: { apiKey: string; clientId: string; apiUrl: string }): WorkOS {
  const { hostname, protocol, port } = new URL(options.apiUrl)
  return new WorkOS(options.apiKey, {
    clientId: options.clientId,
    apiHostname: hostname,
    https: protocol === 'https:',
    ...(port ? { port: Number(port) } : {}),
    timeout: TIMEOUT_MS,
    maxRetries: 0,
    fetchFn: (url, init) =>
      boundedFetch(fetch, AbortSignal.timeout(TIMEOUT_MS), ANSWER_BYTES_MAX)(String(url), init ?? {}),
  })
}
