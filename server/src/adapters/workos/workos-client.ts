import { WorkOS } from '@workos-inc/node'

/** A sign-in waits no longer than this for one call. */
const TIMEOUT_MS = 5_000

/**
 * The SDK, held to one try within five seconds: left to itself it tries four times, for minutes.
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
  })
}
