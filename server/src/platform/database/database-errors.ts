import { AWAY_MESSAGES as DRIVER_AWAY_MESSAGES, isUnsent } from './pg-internals.ts'

/** `disk_full`: a table, an index or the log could not grow. */
export const DISK_FULL = '53100'

/** SQL states that mean "not now": shutting down, too many connections, timeouts, deadlock, serialization, a standby, a full disk. */
const AWAY_STATES = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '57014',
  '53300',
  '53400',
  '55P03',
  '40001',
  '40P01',
  '25P03',
  '25006',
  DISK_FULL,
])
const AWAY_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EHOSTUNREACH',
])
const AWAY_MESSAGES = [
  ...DRIVER_AWAY_MESSAGES,
  'socket has been ended by the other party',
  'the database did not answer in time',
  'driver has already been destroyed',
]
/** With these the server ends the session: shut down, crashed, dropped, or idle for too long. */
const ENDING_STATES = new Set(['57P01', '57P02', '57P04', '57P05', '25P03', '25P04'])

/** True where the failure says that the database is away or overloaded, not that the statement is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') {
    if (AWAY_STATES.has(code) || code.startsWith('08')) return true
    const fromConnect = (error as { syscall?: unknown }).syscall !== undefined
    if (fromConnect && AWAY_SYSTEM_CODES.has(code)) return true
  }
  return AWAY_MESSAGES.some((message) => error.message.includes(message))
}

/** True where the server is there and takes no connections yet: it starts, recovers from a crash, or shuts down (`cannot_connect_now`). */
export function isDatabaseStarting(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === '57P03'
}

/** True where the server has said that this connection is over; the end of the connection itself may arrive later. */
export function isConnectionEnded(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && ENDING_STATES.has(code)
}

/** True where a unique constraint refused the row; `constraint` narrows it to one of them. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const fault = error as { code?: unknown; constraint?: unknown } | null
  return fault?.code === '23505' && (constraint === undefined || fault.constraint === constraint)
}

/** True where a row refers to one that is not there, or one was to go that others refer to. */
export function isForeignKeyViolation(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '23503'
}

/**
 * Deadlock, serialization, and a row that is referred to and was deleted since it was read: what another transaction did at
 * the same moment. A unique violation is not among them: it is mostly the answer to a question.
 */
const LOST_RACE_STATES = new Set(['40P01', '40001', '23503'])

/**
 * True where nothing of the transaction is left, through no fault of its own: run again, it may well succeed. It has lost a
 * race, or its session was ended by a server that stops, as one does that is switched over.
 */
export function isUndone(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return isSessionEnded(error) || (typeof code === 'string' && LOST_RACE_STATES.has(code))
}

/**
 * True where the server has ended a session in the middle of its work (`admin_shutdown`, as an error), or before the
 * statement was sent. After a commit PostgreSQL does not say so: while that waits for a standby, the connection ends
 * without a word.
 */
function isSessionEnded(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === '57P01' || isUnsent(error)
}

/** Sends a statement that is a transaction by itself, and once more where the server ended its session in the middle. */
export function sentAgain<T>(send: () => Promise<T>): Promise<T> {
  return send().catch((error) => (isSessionEnded(error) ? send() : Promise.reject(error)))
}

/** True where a text held a character that PostgreSQL cannot keep (U+0000): what came in was wrong, not the statement. */
export function isUnstorableText(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === '22021' || code === '22P05'
}
