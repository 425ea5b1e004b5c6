import { type Logger, pino } from 'pino'
import { pretty } from './pretty-log.ts'

export type Log = Pick<Logger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/** Names under which secrets travel. Whatever is logged under one of them is replaced. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'token',
  'inviteToken',
  'pendingAuthenticationToken',
  'code',
  'codeVerifier',
  'connectionString',
]

export interface LogOptions {
  level: string
  /** Lines for a person at a terminal instead of JSON. */
  forPeople: boolean
}

/** The structured log of the process, on standard output; secrets are replaced by their names alone. */
export function openLog(options: LogOptions): Logger {
  const redact = {
    paths: SECRET_FIELDS.flatMap((field) => [quoted(field), `*${quoted(field)}`, `*.*${quoted(field)}`]),
    censor: '[redacted]',
  }
  const serializers = { err: describeError }
  if (options.forPeople) return pino({ level: options.level, redact, serializers }, pretty())
  return pino({ level: options.level, redact, serializers })
}

const quoted = (field: string) => `["${field}"]`

/**
 * What a log line tells of an error: no enumerable extras. Errors of database drivers carry parameters and
 * details of rows, those of vendors whole requests.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown }
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { errorCode: code } : {}),
    ...(typeof constraint === 'string' ? { constraint, table } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}
