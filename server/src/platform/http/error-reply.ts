import type { ErrorReply } from '@atrium/contract'
import { isDatabaseAway, isUnstorableText } from '../database/database-errors.ts'
import { ProviderFailure, Refusal, statusOfKind } from '../refusal.ts'

export interface Answer {
  status: number
  body: ErrorReply
  retryAfterSeconds?: number
  /** How many the limit allows that is used up. */
  limit?: number
  /** Not an expected "no": an operator must look at it. */
  defect: boolean
}

interface HttpFault {
  statusCode?: unknown
  code?: unknown
}

/** Turns anything thrown into the answer: status, the body of the contract, and whether it is a defect. */
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
    ...(known.limit === undefined ? {} : { limit: known.limit }),
    defect: false,
  }
}

function refusalFor(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof ProviderFailure) {
    return Refusal.of('provider-unavailable', { retryAfterSeconds: 5 })
  }
  if (isDatabaseAway(error)) {
    return Refusal.of('database-unavailable', { retryAfterSeconds: 2 })
  }
  if (isUnstorableText(error)) {
    return Refusal.of('invalid-input', { message: 'The input contains an invalid character' })
  }
  return refusalOfServer(error as HttpFault)
}

/** What the HTTP server itself refuses, before any code of ours has run. */
function refusalOfServer(fault: HttpFault): Refusal | undefined {
  if (fault?.code === 'FST_ERR_CTP_BODY_TOO_LARGE' || fault?.statusCode === 413) {
    return Refusal.of('too-large')
  }
  if (fault?.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || fault?.statusCode === 415) {
    return Refusal.of('unsupported')
  }
  if (typeof fault?.statusCode === 'number' && fault.statusCode >= 400 && fault.statusCode < 500) {
    return Refusal.of('malformed-request')
  }
  return undefined
}
