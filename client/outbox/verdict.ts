import { AtriumError } from '../errors.ts'
import { retryAfter } from '../requests/backoff.ts'
import type { OutboxRefusal } from './entry.ts'
import { NotTheirSession } from './not-their-session.ts'

export type Verdict =
  /** The office will not take it, however often it is asked. */
  | { what: 'refused'; refusal: OutboxRefusal }
  /** Another try may succeed. */
  | { what: 'again'; retryAfterSeconds: number }
  /** Nothing can be sent until the session is another one. */
  | { what: 'pause' }

/** What a failure means for the entry. */
export function verdictOf(error: unknown): Verdict {
  if (error instanceof NotTheirSession) return { what: 'pause' }
  const retryAfterSeconds = retryAfter(error)
  if (!(error instanceof AtriumError) || retryAfterSeconds !== undefined)
    return { what: 'again', retryAfterSeconds: retryAfterSeconds ?? 0 }
  const { status, message, error: word } = error
  if (status === 401) return { what: 'pause' }
  return { what: 'refused', refusal: { status, message, ...(word === undefined ? {} : { error: word }) } }
}
