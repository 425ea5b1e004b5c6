/** What a refusal says. `code` repeats the HTTP status as the body gives it. */
export interface RefusalParts {
  status: number
  code: number
  message: string
  /** Stable kebab-case word, where the refusal has one. */
  error?: string
  /** What is wrong with which field. */
  details?: { field: string; message: string }[]
  requestId?: string
  /** After how many seconds another try may succeed. */
  retryAfterSeconds?: number
}

/** The office answered "no". */
export class AtriumError extends Error {
  readonly operationId: string
  readonly status: number
  readonly code: number
  readonly error: string | undefined
  readonly details: { field: string; message: string }[] | undefined
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(operationId: string, refusal: RefusalParts) {
    super(refusal.message)
    this.name = 'AtriumError'
    this.operationId = operationId
    this.status = refusal.status
    this.code = refusal.code
    this.error = refusal.error
    this.details = refusal.details
    this.requestId = refusal.requestId
    this.retryAfterSeconds = refusal.retryAfterSeconds
  }
}

/**
 * The office did not answer: no connection, no answer in time, or an answer that is not its JSON (a proxy's error page,
 * say). Whether the call had an effect is unknown.
 */
export class AtriumUnreachable extends Error {
  readonly operationId: string
  /** Status of the answer that was not the office's, where there was one. */
  readonly status: number | undefined
  /** What the call was sent with, where its operation takes one: another try under it makes nothing twice. */
  readonly idempotencyKey: string | undefined

  constructor(
    operationId: string,
    message: string,
    options: { status?: number; cause?: unknown; idempotencyKey?: string } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'AtriumUnreachable'
    this.operationId = operationId
    this.status = options.status
    this.idempotencyKey = options.idempotencyKey
  }
}
