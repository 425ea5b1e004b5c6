import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { outside } from '../../platform/outside/outside.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import type { Secret } from '../../platform/secrets/secret.ts'

export interface CentrifugoApiOptions {
  /** Of the HTTP API, with or without its `/api`. */
  url: string
  key: Secret
}

export interface CentrifugoApi {
  /**
   * Calls one method and checks what comes back against `schema`.
   * @throws ProviderFailure where there was no answer in time, or another one
   */
  call<Schema extends TSchema>(method: string, request: object, schema: Schema): Promise<Static<Schema>>
}

const PROVIDER = 'centrifugo'
/** Longer than Centrifugo itself waits for a frozen Redis: its own error says more than our silence. */
const ANSWER_WITHIN_MS = 8_000

export function centrifugoApi({ url, key }: CentrifugoApiOptions): CentrifugoApi {
  const base = apiAddress(url)
  return {
    call: (method, request, schema) =>
      outside({ provider: PROVIDER, action: method }, async () => {
        const response = await fetch(`${base}/${method}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-api-key': key.reveal() },
          body: JSON.stringify(request),
          redirect: 'error',
          signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        })
        const body: unknown = response.ok ? await response.json() : await response.body?.cancel()
        if (!response.ok) {
          const cause = new Error(`it answered ${response.status}`)
          throw new ProviderFailure(PROVIDER, method, { retryable: response.status >= 500, cause })
        }
        if (!Value.Check(schema, body)) throw new Error('its answer does not have the form we know')
        return body
      }),
  }
}

/** `http://host:9000` and `http://host:9000/api` are the same to us: both are found in the wild. */
function apiAddress(url: string): string {
  const address = new URL(url)
  return address.pathname === '/' ? `${address.origin}/api` : url.replace(/\/+$/, '')
}
