import { type ErrorWord, errorMeanings } from '@atrium/contract'

/** The closed set of expected "no"s, each with the status that tells it over HTTP. */
export const statusOfKind = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  unsupported: 415,
  unprocessable: 422,
  'too-many': 429,
  unavailable: 503,
} as const

export type RefusalKind = keyof typeof statusOfKind

type RefusalStatus = (typeof statusOfKind)[RefusalKind]

/** The words of the contract that are refusals: all but that of a defect. */
export type RefusalWord = {
  [Word in ErrorWord]: (typeof errorMeanings)[Word]['status'] extends RefusalStatus ? Word : never
}[ErrorWord]

const kindOfStatus = new Map(
  Object.entries(statusOfKind).map(([kind, status]) => [status as number, kind as RefusalKind]),
)

export interface RefusalOptions {
  /** Stable kebab-case word for clients, where the kind alone does not tell the case. */
  error?: string
  /** What is wrong with which field. Shown to the caller. */
  details?: { field: string; message: string }[]
  /** After how many seconds the caller may try again. */
  retryAfterSeconds?: number
  /** How many the limit allows that is used up, where no budget has told the caller. */
  limit?: number
  /** For the log only. */
  detail?: unknown
  /** Id of the account with records that this belongs into, where the request does not tell. Never shown. */
  scope?: string
  cause?: unknown
}

/** An expected "no". `message` is public; `detail` and `cause` are only logged. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly error: string | undefined
  readonly details: { field: string; message: string }[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly limit: number | undefined
  readonly detail: unknown
  readonly scope: string | undefined

  constructor(kind: RefusalKind, message: string, options: RefusalOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'Refusal'
    this.kind = kind
    this.error = options.error
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
    this.limit = options.limit
    this.detail = options.detail
    this.scope = options.scope
  }

  /**
   * What the contract says at a word (`contract/errors.ts`): its status, and its message where none is given, as for
   * details that depend on the call.
   */
  static of(word: RefusalWord, options: Omit<RefusalOptions, 'error'> & { message?: string } = {}): Refusal {
    const { message = errorMeanings[word].message, ...others } = options
    const kind = kindOfStatus.get(errorMeanings[word].status) as RefusalKind
    return new Refusal(kind, message, { ...others, error: word })
  }

  /** The same refusal, with the account of its records. */
  within(scope: string): Refusal {
    const { error, details, retryAfterSeconds, limit, detail, cause } = this
    const options = Object.entries({ error, details, retryAfterSeconds, limit, detail, cause, scope })
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
