import { AtriumError } from '../errors.ts'
import type { OutboxRefusal } from './entry.ts'

/** The session is of another person or organization than the entry: it waits for its own. */
export class NotTheirSession extends Error {}

export type Verdict =
  /** The office will not take it, however often it is asked. */
  | { what: 'refused'; refusal: OutboxRefusal }
  /** Another try may succeed. */
  | { what: 'again'; retryAfterSeconds: number }
  /** Nothing can be sent until the session is another one. */
  | { what: 'pause' }

/** Refusals that a later try may not meet: too late, too early, too much. */
const PASSING = [408, 425, 429]

/** What a failure means for the entry. */
export function verdictOf(error: unknown): Verdict {
  if (error instanceof NotTheirSession) return { what: 'pause' }
  if (!(error instanceof AtriumError)) return { what: 'again', retryAfterSeconds: 0 }
  const { status, message, error: word } = error
  if (status === 401) return { what: 'pause' }
  if (status >= 500 || PASSING.includes(status))
    return { what: 'again', retryAfterSeconds: error.retryAfterSeconds ?? 0 }
  return { what: 'refused', refusal: { status, message, ...(word === undefined ? {} : { error: word }) } }
}
