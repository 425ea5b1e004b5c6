/** The closed set of expected "no"s. One file, `http/error-reply.ts`, knows what HTTP calls them. */
export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'gone'
  | 'too-large'
  | 'unsupported'
  | 'unprocessable'
  | 'too-many'
  | 'unavailable'

export interface RefusalOptions {
  /** Stable kebab-case word for clients, where the kind alone does not tell the case. */
  error?: string
  /** What is wrong with which field. Shown to the caller. */
  details?: { field: string; message: string }[]
  /** After how many seconds the caller may try again. */
  retryAfterSeconds?: number
  /** For the log only. */
  detail?: unknown
  /** Id of whose records this belongs into, where the request does not tell. Never shown. */
  scope?: string
  cause?: unknown
}

/** An expected "no". `message` is public; `detail` and `cause` are only logged. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly error: string | undefined
  readonly details: { field: string; message: string }[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly detail: unknown
  readonly scope: string | undefined

  constructor(kind: RefusalKind, message: string, options: RefusalOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'Refusal'
    this.kind = kind
    this.error = options.error
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
    this.detail = options.detail
    this.scope = options.scope
  }

  /** The same refusal, with whose records it belongs into. */
  within(scope: string): Refusal {
    const { error, details, retryAfterSeconds, detail, cause } = this
    const options = Object.entries({ error, details, retryAfterSeconds, detail, cause, scope })
    return new Refusal(
      this.kind,
      this.message,
      Object.fromEntries(options.filter(([, value]) => value !== undefined)),
    )
  }
}

/** How many fields one refusal tells of. */
export const DETAILS_MAX = 20

/**
 * Input that does not fit, in sentences for a person: each says what to enter. The first one is the message.
 * `contract/input-sentence.ts` makes those of schemas.
 */
export function invalidInput(
  details: readonly { field: string; message: string }[],
  { kind = 'invalid', error = 'invalid-input' }: { kind?: 'invalid' | 'unprocessable'; error?: string } = {},
): Refusal {
  const message = details[0]?.message ?? 'The input does not fit'
  return new Refusal(kind, message, { error, details: details.slice(0, DETAILS_MAX) })
}

/** A vendor or another outside part did not do what we asked. Answered as 502 or 503, never in the vendor's words. */
export class ProviderFailure extends Error {
  readonly provider: string
  readonly action: string
  readonly retryable: boolean

  constructor(provider: string, action: string, options: { retryable: boolean; cause?: unknown }) {
    super(`${provider} failed at ${action}`, { cause: options.cause })
    this.name = 'ProviderFailure'
    this.provider = provider
    this.action = action
    this.retryable = options.retryable
  }
}
