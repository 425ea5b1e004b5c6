import { ProviderFailure } from '../refusal.ts'
import { pause } from '../timing/pause.ts'
import { outside } from './outside.ts'
import { type Fetch, readBounded } from './outside-fetch.ts'
import { retryAfterMs } from './retry-after.ts'

/** An answer that means something: neither a fault nor a request for patience. */
export interface JsonAnswer {
  status: number
  /** Not looked at yet; undefined where it is not JSON. */
  body: unknown
}

/** What one question may take in all, over its pages and attempts. */
export interface Allowance {
  /** Ends the attempts. */
  deadline: AbortSignal
  /** What the answers may still have together. */
  bytesLeft: number
}

export interface JsonRequest {
  url: URL
  /** Of the person we act for. */
  accessToken: string
  headers?: Record<string, string>
  allowance: Allowance
}

export interface OutsideJsonOptions {
  fetch: Fetch
  /** How failures name it. */
  provider: string
  /** Whether another answer than 429 asks for patience as well. */
  asksForPatience?: (answer: JsonAnswer) => boolean
}

const ATTEMPTS = 3
const ATTEMPT_WITHIN_MS = 8_000
/** Read in one go, in which the node does nothing else. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024
const QUESTION_WITHIN_MS = 20_000
const QUESTION_BYTES_MAX = 32 * 1024 * 1024
const FIRST_WAIT_MS = 200
/** A longer wait is not granted to the other side: our own callers wait for us. */
const LONGEST_WAIT_MS = 5_000

/** For one question: 20 seconds, and 32 MB together. */
export function allowance(): Allowance {
  return { deadline: AbortSignal.timeout(QUESTION_WITHIN_MS), bytesLeft: QUESTION_BYTES_MAX }
}

/**
 * Reads JSON from a vendor's API. What is only read may be asked again: after a fault, a broken answer, or as soon
 * as the vendor allows.
 */
export function outsideJson({ fetch, provider, asksForPatience = () => false }: OutsideJsonOptions) {
  const read = async (request: JsonRequest): Promise<JsonAnswer> => {
    const failure = (cause: Error) => new ProviderFailure(provider, 'read', { retryable: true, cause })
    for (let attempt = 1; ; attempt += 1) {
      const { answer, fault, waitMs } = await ask(fetch, request, asksForPatience)
      if (answer) return answer
      if (attempt === ATTEMPTS || waitMs > LONGEST_WAIT_MS) throw failure(fault)
      await pause(
        Math.max(waitMs, FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random())),
        request.allowance.deadline,
      )
      if (request.allowance.deadline.aborted) throw failure(fault)
    }
  }
  return (request: JsonRequest) => outside({ provider, action: 'read' }, () => read(request))
}

type Attempt =
  | { answer: JsonAnswer; fault?: undefined; waitMs: number }
  | { answer?: undefined; fault: Error; waitMs: number }

async function ask(
  fetchIt: Fetch,
  { url, accessToken, headers, allowance: left }: JsonRequest,
  asksForPatience: (answer: JsonAnswer) => boolean,
): Promise<Attempt> {
  const within = AbortSignal.any([left.deadline, AbortSignal.timeout(ATTEMPT_WITHIN_MS)])
  let response: Response
  let text: string
  try {
    response = await fetchIt(url.href, {
      headers: { ...headers, accept: 'application/json', authorization: `Bearer ${accessToken}` },
      redirect: 'manual',
      signal: within,
    })
    const bytes = await readBounded(response, Math.min(ANSWER_BYTES_MAX, left.bytesLeft))
    left.bytesLeft -= bytes.byteLength
    text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  } catch (error) {
    return { fault: nameOf(error), waitMs: 0 }
  }
  const { status } = response
  const body = parsed(text)
  const waitMs = retryAfterMs(response.headers.get('retry-after'), new Date())
  // what is cut off on its way is no answer, with any status
  if (status >= 500 || status === 429 || (status === 200 && body === undefined))
    return { fault: new Error(`it answered ${status}${body === undefined ? ' without JSON' : ''}`), waitMs }
  const answer = { status, body }
  if (asksForPatience(answer)) return { fault: new Error(`it answered ${status}`), waitMs }
  return { answer, waitMs }
}

/** Without its message where that could quote what was sent or read. */
function nameOf(error: unknown): Error {
  const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } }
  return new Error([name, cause?.code].filter((part) => typeof part === 'string').join(' ') || 'unknown')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
