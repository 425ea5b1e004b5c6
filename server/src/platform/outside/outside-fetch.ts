import { ProviderFailure } from '../refusal.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Enough for any metadata, key set or token answer; more is no honest issuer. */
const ANSWER_BYTES_MAX = 256 * 1024

/**
 * A fetch for answers of strangers: gives up at `deadline`, follows no redirect, and takes no more than `bytesMax`,
 * a quarter of a megabyte where not given.
 */
export function boundedFetch(fetchIt: Fetch, deadline: AbortSignal, bytesMax = ANSWER_BYTES_MAX): Fetch {
  return async (url, init) => {
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline
    const response = await fetchIt(url, { ...init, signal, redirect: 'manual' })
    const body = await readBounded(response, bytesMax)
    const bodyless = [101, 204, 205, 304].includes(response.status)
    return new Response(bodyless ? null : body, { status: response.status, headers: response.headers })
  }
}

/** The whole body. @throws ProviderFailure where it is longer than that */
export async function readBounded(response: Response, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const { headers } = response
  // where the length is known to be that of the bytes, they need not be counted: much faster
  const length = headers.has('content-encoding') ? undefined : headers.get('content-length')
  if (length && Number(length) <= bytesMax) return new Uint8Array(await response.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > bytesMax) throw new ProviderFailure('issuer', 'answer', { retryable: true })
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
