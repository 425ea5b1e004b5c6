import type { ErrorReply, Input, OperationId, Reply } from '@atrium/contract'
import { AtriumError, AtriumUnreachable, type RefusalParts } from './errors.ts'
import { createOfficeTime, type OfficeTime } from './office-time.ts'
import type { CookieJar } from './requests/cookie-jar.ts'
import { parseWire, requestOf } from './requests/request-of.ts'
import { retryAfterOf } from './requests/retry-after.ts'
import { wireTable } from './wire-table.ts'

export type { Input, OperationId, Reply } from '@atrium/contract'
export { AtriumError, AtriumUnreachable } from './errors.ts'
export type { OfficeTime } from './office-time.ts'
export { type CookieJar, createCookieJar } from './requests/cookie-jar.ts'

export interface ClientOptions {
  /** Where the office answers, with or without a path; `''` in a browser: where the page came from. */
  baseUrl: string
  /** In place of the global fetch. */
  fetch?: typeof globalThis.fetch
  /** Keeps the session outside a browser. In a browser leave it out: the browser keeps its own cookies. */
  cookies?: CookieJar
  /** A service token of an organization, in place of a session: no cookie is sent beside it. */
  serviceToken?: string | undefined
  /**
   * The language of mails that follow from a call, as `Accept-Language` names it (`de`). Where not given, the browser says
   * it.
   */
  language?(): string
  /** How long a call may take, the reading of its answer included; 0: for ever. 30 seconds where not given. */
  timeoutMs?: number
}

export interface CallOptions {
  /** Ends the call: it then rejects with the reason of the signal. */
  signal?: AbortSignal
  /** For this call, in place of the client's. */
  timeoutMs?: number
  /**
   * For an operation that makes something: the same key again (up to 255 characters) gets the first reply and makes
   * nothing more, for 24 hours. Give the one of the first try to every further try: `AtriumUnreachable` carries it. A
   * fresh one where not given.
   */
  idempotencyKey?: string | undefined
}

/** Statuses of refusals. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 502 | 503

/** A refusal as it came. One type per status, so that `status` tells it apart from a success. */
export type RefusalAnswer = { [Status in RefusalStatus]: { status: Status; body: ErrorReply } }[RefusalStatus]

/** An answer as it came, told apart by its status. */
export type Answer<Id extends OperationId> = { headers: Headers } & (Reply<Id> | RefusalAnswer)

/** The body of an operation's success; undefined where it has none. */
export type SuccessBody<Id extends OperationId> = Reply<Id>['body']

/** Given where an operation takes no input: `{}` or nothing. */
type NoInput = Record<string, never>
type Empty = Record<never, never>

/** Input and options of a call. The input may be left out where the operation takes none, or needs none. */
export type CallArguments<Id extends OperationId> =
  unknown extends Input<Id>
    ? [input?: NoInput | undefined, options?: CallOptions]
    : Empty extends Input<Id>
      ? [input?: Input<Id> | undefined, options?: CallOptions]
      : [input: Input<Id>, options?: CallOptions]

export interface AtriumClient {
  /** Where the office answers, without a slash at the end. */
  readonly baseUrl: string
  /** What the calls are made with. */
  readonly fetch: typeof globalThis.fetch
  /** The office's own time, as its answers tell it: for moments that are sent or compared, in place of `Date.now()`. */
  readonly time: OfficeTime
  /**
   * Calls an operation and answers the body of its success. Rejects with AtriumError where the office refuses,
   * with AtriumUnreachable where nothing of the office answered, with the signal's reason where it was aborted.
   */
  call<Id extends OperationId>(operationId: Id, ...args: CallArguments<Id>): Promise<SuccessBody<Id>>
  /** The same, but a refusal is an answer like any other. For tests, and for callers that want the headers. */
  request<Id extends OperationId>(operationId: Id, ...args: CallArguments<Id>): Promise<Answer<Id>>
}

interface PlainAnswer {
  status: number
  headers: Headers
  body: unknown
}

/** A typed client of one office. Holds nothing but its options; sign-in state lives in the cookies. */
export function createAtriumClient(options: ClientOptions): AtriumClient {
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  // a global one that is replaced later is used
  const fetch: typeof globalThis.fetch = (...args) => (options.fetch ?? globalThis.fetch)(...args)
  const time = createOfficeTime()
  const office = { ...options, baseUrl, fetch, time }

  async function request(id: OperationId, input: unknown, call: CallOptions = {}): Promise<PlainAnswer> {
    return await send(office, id, (input ?? {}) as Record<string, unknown>, call)
  }

  async function call(id: OperationId, input: unknown, callOptions?: CallOptions): Promise<unknown> {
    const answer = await request(id, input, callOptions)
    if (answer.status >= 400) throw new AtriumError(id, refusalOf(answer))
    return answer.body
  }

  return { baseUrl, fetch, time, call, request } as AtriumClient
}

async function send(
  options: ClientOptions & Pick<AtriumClient, 'fetch' | 'time'>,
  id: OperationId,
  input: Record<string, unknown>,
  call: CallOptions,
): Promise<PlainAnswer> {
  const wire = parseWire(id, wireTable[id])
  const { method, target, body, idempotencyKey } = requestOf(wire, input, call.idempotencyKey)
  const address = options.baseUrl + target
  const headers = new Headers({ accept: 'application/json' })
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  const language = options.language?.()
  if (language !== undefined) headers.set('accept-language', language)
  const { serviceToken } = options
  if (serviceToken !== undefined) headers.set('authorization', `Bearer ${serviceToken}`)
  const cookie = serviceToken === undefined ? options.cookies?.headerFor(new URL(address)) : undefined
  if (cookie) headers.set('cookie', cookie)

  const signal = signalOf(call.signal, call.timeoutMs ?? options.timeoutMs ?? 30_000)
  const askedAt = performance.now()
  try {
    const response = await options.fetch(address, {
      method,
      headers,
      credentials: serviceToken === undefined ? 'include' : 'omit',
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    })
    options.time.heard(response.headers, askedAt)
    options.cookies?.receive(response.headers.getSetCookie(), new URL(address))
    const { status } = response
    return { status, headers: response.headers, body: await readBody(response) }
  } catch (cause) {
    call.signal?.throwIfAborted()
    const [message, status] =
      cause instanceof NotJson
        ? [`The answer (${cause.status}) is not JSON`, { status: cause.status }]
        : [`No answer from ${address}`, {}]
    const key = idempotencyKey === undefined ? {} : { idempotencyKey }
    throw new AtriumUnreachable(id, message, { cause, ...status, ...key })
  }
}

/** What answered is not the office. */
class NotJson extends Error {
  readonly status: number

  constructor(status: number, cause: unknown) {
    super('not JSON', { cause })
    this.status = status
  }
}

/** Whichever comes first: the caller's signal or the end of the time. */
function signalOf(signal: AbortSignal | undefined, timeoutMs: number): AbortSignal | undefined {
  if (timeoutMs <= 0) return signal
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal ? AbortSignal.any([signal, timeout]) : timeout
}

async function readBody(response: Response): Promise<unknown> {
  const { status } = response
  const text = await response.text()
  if (text === '' && status === 204) return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new NotJson(status, cause)
  }
}

/** A refusal's parts; those that a body of another make lacks are filled from the status. */
function refusalOf({ status, headers, body }: PlainAnswer): RefusalParts {
  const said = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorReply>
  const retryAfterSeconds = retryAfterOf(headers)
  return {
    status,
    code: said.code ?? status,
    message: said.message ?? `Refused with ${status}`,
    ...(said.error === undefined ? {} : { error: said.error }),
    ...(said.details === undefined ? {} : { details: said.details }),
    ...(said.requestId === undefined ? {} : { requestId: said.requestId }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}
