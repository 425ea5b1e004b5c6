import type { Clock } from '../clock.ts'
import { type OutsideCall, outside } from './outside.ts'
import type { Fetch } from './outside-fetch.ts'
import { retryAfterMs } from './retry-after.ts'

/** What a receiver has answered. */
export interface PostAnswer {
  status: number
  /** `Retry-After`, in milliseconds; 0 where it says nothing. */
  retryAfterMs: number
  /** The beginning of the body, as far as it was to be read. */
  text: string
}

interface Posting {
  call: OutsideCall
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer>
  withinMs: number
  /** How much of the answer is read, about. */
  bytes?: number
}

/**
 * Posts to a receiver that a customer has named, and follows no redirect.
 * @throws ProviderFailure where there was no answer within the time
 */
export async function postOutside(
  { fetchIt, clock }: { fetchIt: Fetch; clock: Clock },
  url: string,
  { call, headers, body, withinMs, bytes = 0 }: Posting,
): Promise<PostAnswer> {
  return await outside(call, async () => {
    const signal = AbortSignal.timeout(withinMs)
    const response = await fetchIt(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    const text = await beginningOf(response, bytes)
    const askedFor = retryAfterMs(response.headers.get('retry-after'), clock.now())
    return { status: response.status, retryAfterMs: askedFor, text }
  })
}

async function beginningOf({ body }: Response, bytes: number): Promise<string> {
  if (bytes === 0) {
    await body?.cancel()
    return ''
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= bytes) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, bytes)
}

/** What a post that was not answered failed by, without its address: that may carry a secret. */
export function failureName(error: unknown): string {
  return ((error as { cause?: Error }).cause ?? (error as Error)).name
}
