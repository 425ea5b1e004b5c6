import type { ErrorReply } from '@atrium/contract'
import { isDatabaseAway, isUnstorableText } from '../database/database-errors.ts'
import { ProviderFailure, Refusal, type RefusalKind } from '../refusal.ts'

/** The one place that knows what HTTP calls each kind of refusal. */
const statusOfKind: Record<RefusalKind, number> = {
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
}

export interface Answer {
  status: number
  body: ErrorReply
  retryAfterSeconds?: number
  /** Not an expected "no": somebody must look at it. */
  defect: boolean
}

interface HttpFault {
  statusCode?: unknown
  code?: unknown
}

/** Turns whatever was thrown into the answer: status, the body of the contract, and whether it is a defect. */
export function answerTo(error: unknown, id: string): Answer {
  const requestId = id === '' ? {} : { requestId: id }
  const known = refusalFor(error)
  if (!known)
    return {
      status: 500,
      body: { code: 500, message: 'Internal error', error: 'internal-error', ...requestId },
      defect: true,
    }
  const status = error instanceof ProviderFailure && !error.retryable ? 502 : statusOfKind[known.kind]
  return {
    status,
    body: {
      code: status,
      message: known.message,
      error: known.error ?? known.kind,
      ...(known.details ? { details: known.details } : {}),
      ...requestId,
    },
    ...(known.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: known.retryAfterSeconds }),
    defect: false,
  }
}

function refusalFor(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof ProviderFailure) {
    return new Refusal('unavailable', 'A service behind this one does not answer; try again later', {
      error: 'provider-unavailable',
      retryAfterSeconds: 5,
    })
  }
  if (isDatabaseAway(error)) {
    return new Refusal('unavailable', 'The database does not answer; try again later', {
      error: 'database-unavailable',
      retryAfterSeconds: 2,
    })
  }
  if (isUnstorableText(error)) {
    return new Refusal('invalid', 'The input contains an invalid character', { error: 'invalid-input' })
  }
  return refusalOfServer(error as HttpFault)
}

/** What the HTTP server itself refuses, before any code of ours has run. */
function refusalOfServer(fault: HttpFault): Refusal | undefined {
  if (fault?.code === 'FST_ERR_CTP_BODY_TOO_LARGE' || fault?.statusCode === 413) {
    return new Refusal('too-large', 'The body is too large')
  }
  if (fault?.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || fault?.statusCode === 415) {
    return new Refusal('unsupported', 'The body must be JSON (content-type: application/json)')
  }
  if (typeof fault?.statusCode === 'number' && fault.statusCode >= 400 && fault.statusCode < 500) {
    return new Refusal('invalid', 'The request is malformed', { error: 'malformed-request' })
  }
  return undefined
}
