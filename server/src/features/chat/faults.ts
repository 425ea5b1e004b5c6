import { CHAT_DATA_PATH } from '@atrium/contract'
import { isDatabaseAway } from '../../platform/database/database-errors.ts'
import type { PipelineError } from '../../platform/database/pipeline.ts'
import { answerTo } from '../../platform/http/error-reply.ts'
import { headersOfLimit } from '../../platform/limits/rate-limited.ts'
import { Refusal } from '../../platform/refusal.ts'
import { raisedRate } from './raised-rate.ts'

/** What a client of PostgREST is told of a "no". */
export interface FaultBody {
  code: string
  message: string
  details: string | null
  hint: string | null
}

interface FaultOptions {
  details?: string | null
  hint?: string | null
  headers?: Record<string, string>
  /** An operator must look at it. */
  defect?: boolean
}

/** A refusal in the form of PostgREST: an SQL state, or a code of its own (`PGRST…`). */
export class PostgrestFault extends Error {
  readonly status: number
  readonly body: FaultBody
  readonly headers: Record<string, string>
  readonly defect: boolean

  constructor(status: number, code: string, message: string, options: FaultOptions = {}) {
    super(message)
    this.name = 'PostgrestFault'
    this.status = status
    this.body = { code, message, details: options.details ?? null, hint: options.hint ?? null }
    this.headers = options.headers ?? {}
    this.defect = options.defect ?? false
  }
}

/** Classes of SQL states by their HTTP status, as PostgREST has them; of those not named here we are to blame. */
const STATUS_OF_CLASS: Record<string, number> = { '22': 400, '23': 400, '28': 403, '0L': 403, '0P': 403 }
const STATUS_OF_STATE: Record<string, number> = {
  '23503': 409,
  '23505': 409,
  '42501': 403,
  '42804': 400,
  '42846': 400,
  '42883': 400,
  '54000': 413,
  P0001: 400,
  P0429: 429,
  P0430: 429,
}
const RAISED = /^P0|^PT|^42501$/
/** PostgreSQL repeats a value that it cannot read, however long it is. */
const MESSAGE_MAX = 500

/** Whatever was thrown, in the form of PostgREST. */
export function faultOf(error: unknown): PostgrestFault {
  if (error instanceof PostgrestFault) return error
  if (isDatabaseAway(error)) {
    return new PostgrestFault(503, 'PGRST001', 'The database does not answer; try again later', {
      headers: { 'retry-after': '2' },
    })
  }
  return faultOfDatabase(error as SqlError) ?? faultOfRequest(error) ?? internal()
}

interface SqlError extends PipelineError {
  code?: unknown
  detail?: string
  hint?: string
}

function faultOfDatabase(error: SqlError): PostgrestFault | undefined {
  const { code, message } = error
  // the first statement takes the role and the claims on: that this fails is no fault of the client
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || error.statement === 0) return undefined
  const status = statusOfState(code)
  if (status === undefined) return undefined
  // details of the rest would repeat whole rows
  const raised = RAISED.test(code) || code === '23503'
  const hint = raised ? (error.hint ?? null) : null
  const rate = status === 429 ? raisedRate(error) : undefined
  return new PostgrestFault(status, code, message.slice(0, MESSAGE_MAX), {
    details: raised ? (error.detail ?? null) : null,
    hint,
    headers: rate
      ? {
          'retry-after': String(rate.retryAfterSeconds),
          ...headersOfLimit(rate.limit, rate.retryAfterSeconds),
        }
      : {},
  })
}

function statusOfState(code: string): number | undefined {
  const [, given] = /^PT([45]\d\d)$/.exec(code) ?? []
  return given ? Number(given) : (STATUS_OF_STATE[code] ?? STATUS_OF_CLASS[code.slice(0, 2)])
}

/** What is refused outside of this chapter: by the HTTP server, or for want of budget. */
function faultOfRequest(error: unknown): PostgrestFault | undefined {
  if (error instanceof Refusal) return faultOfRefusal(error)
  const { statusCode } = error as { statusCode?: unknown }
  if (statusCode === 413) return new PostgrestFault(413, 'PGRST102', 'The body is too large')
  if (statusCode === 415) return new PostgrestFault(415, 'PGRST102', 'Content-Type not acceptable')
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) return invalidBody()
  return undefined
}

/** What is refused everywhere, in this form: another origin, an encoded body. */
function faultOfRefusal(refusal: Refusal): PostgrestFault {
  if (refusal.error === 'invalid-input') return new PostgrestFault(400, 'PGRST102', refusal.message)
  if (refusal.kind === 'invalid') return invalidBody()
  if (refusal.kind === 'too-many')
    return new PostgrestFault(429, 'PT429', refusal.message, {
      headers: { 'retry-after': String(refusal.retryAfterSeconds ?? 1) },
    })
  return new PostgrestFault(answerTo(refusal, '').status, 'PGRST102', refusal.message)
}

const FUNCTION_PATH = `${CHAT_DATA_PATH}/rpc/`

/** @param allowed the methods that the path is served by, where it is known */
export function unservedFault(
  { method, url }: { method: string; url: string },
  allowed: readonly string[] | undefined,
): PostgrestFault {
  if (!allowed) return noSuchPath()
  const headers = { allow: allowed.join(', ') }
  if (url.startsWith(FUNCTION_PATH))
    return new PostgrestFault(405, 'PGRST101', `Cannot use the ${method} method on RPC`, { headers })
  return new PostgrestFault(405, 'PGRST117', `Unsupported HTTP method: ${method}`, { headers })
}

export function noSuchPath(): PostgrestFault {
  return new PostgrestFault(404, 'PGRST125', 'Invalid path specified in request URL')
}

function internal(): PostgrestFault {
  return new PostgrestFault(500, 'PGRSTX00', 'Internal error', { defect: true })
}

export function invalidBody(): PostgrestFault {
  return new PostgrestFault(400, 'PGRST102', 'Empty or invalid json')
}

/** A query string that cannot be read: `kind` says which part. */
export function unreadable(kind: string, text: string, details: string): PostgrestFault {
  const message = `"failed to parse ${kind} (${text.slice(0, 200)})" (line 1, column 1)`
  return new PostgrestFault(400, 'PGRST100', message, { details })
}

export function unknownColumn(relation: string, column: string): PostgrestFault {
  return new PostgrestFault(400, '42703', `column ${relation}.${column.slice(0, 100)} does not exist`)
}

/** One object was wanted. */
export function notOneRow(rows: number): PostgrestFault {
  return new PostgrestFault(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${rows} rows`,
  })
}
