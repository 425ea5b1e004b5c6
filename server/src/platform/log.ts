import { type DestinationStream, destination, type Logger, type LoggerOptions, pino } from 'pino'
import { pretty } from './pretty-log.ts'
import { faultOf, repeatedFaults } from './repeated-faults.ts'
import { after } from './timing/timer.ts'

export type Log = Pick<Logger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/** Names under which secrets travel. A value logged under one of them is replaced. */
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

/**
 * Lines wait at most this long for others, so that one write carries many. Written out when the process ends. Where
 * none waits nothing happens: a timer that always runs was a fifth of what an idle office does.
 */
const FLUSH_AFTER_MS = 200
/** Some fifty lines: each write goes by way of another thread and back, which costs as much as making them. */
const BUFFER_BYTES = 16_000
/** What is kept while nothing can be written; further lines are lost. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024

export interface LogOptions {
  level: string
  /** Lines for a person at a terminal instead of JSON. */
  forPeople: boolean
  /** Onto the error output, where the output is for what a command has to say. */
  toErrorOutput?: boolean
  /** Where the lines go, in place of both. */
  into?: DestinationStream
}

/**
 * The structured log of the process, on standard output where not said otherwise; secrets are replaced by their names
 * alone. Of a fault that comes again and again it has one line a second, with how often it was `repeated`.
 */
export function openLog(options: LogOptions): Logger {
  const redact = {
    paths: SECRET_FIELDS.flatMap((field) => [quoted(field), `*${quoted(field)}`, `*.*${quoted(field)}`]),
    censor: '[redacted]',
  }
  const dest = options.toErrorOutput ? 2 : 1
  const tellWritable = (linesLost: number) =>
    log.warn({ linesLost }, 'the log could not be written for a while: is its disk full?')
  const out: DestinationStream =
    options.into ?? (options.forPeople ? pretty(dest) : openLogOutput(dest, tellWritable))
  const serializers = { err: describeError }
  const hooks = { logMethod: oncePerSecond() }
  const log = pino({ level: options.level, redact, serializers, hooks }, out)
  return log
}

/**
 * An output that outlives a full disk. Left to itself it ends the process at the first failed write, by an event
 * without a listener, and then sleeps for ever, because at the end it tries until it has written what it holds.
 * @param dest 1 or 2
 * @param onWritable called when something can be written again, with how many lines were lost meanwhile
 */
function openLogOutput(dest: number, onWritable: (linesLost: number) => void) {
  const output = destination({
    dest,
    sync: false,
    minLength: BUFFER_BYTES,
    maxLength: KEPT_BYTES_MAX,
  })
  const flushSync = output.flushSync.bind(output)
  const write = output.write.bind(output)
  let failing = false
  let isDue = false
  const flush = () => {
    isDue = false
    output.flush()
  }
  const flushSoon = () => {
    if (isDue) return
    isDue = true
    after(FLUSH_AFTER_MS, flush, flushSoon)
  }
  output.write = (lines) => {
    flushSoon()
    return write(lines)
  }
  let lost = 0
  output.on('drop', () => {
    lost += 1
  })
  output.on('error', () => {
    failing = true
    output.flushSync = () => {}
    // what could not be written waits still
    flushSoon()
  })
  output.on('write', () => {
    if (!failing) return
    failing = false
    output.flushSync = flushSync
    const linesLost = lost
    lost = 0
    onWritable(linesLost)
  })
  return output
}

const WARN = 40
const FATAL = 60

/** Every warning and error that tells of an error, of this log and of those made from it. */
function oncePerSecond(): NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']> {
  const pass = repeatedFaults()
  return function (args, method, level) {
    const [fields, message] = args as unknown as [unknown, unknown]
    const error = level >= WARN && level < FATAL && (fields as { err?: unknown } | null)?.err
    if (!error) return method.apply(this, args)
    pass(faultOf(message, error), (repeated) => {
      const line = repeated === 0 ? fields : { ...(fields as object), repeated }
      method.apply(this, [line, message] as unknown as typeof args)
    })
  }
}

/**
 * A log for lines of fixed fields none of which is a secret, such as the one line of each request. It does not
 * look for secrets: doing so cost more than anything else in serving a request (`npm run bench user-get`).
 */
export function withoutRedaction(log: Log): Log {
  return (log as Logger).child({}, { redact: [] })
}

/** The same log, with these fields in all its lines. */
export function withContext(log: Log, fields: Readonly<Record<string, unknown>>): Log {
  return (log as Logger).child(fields)
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
