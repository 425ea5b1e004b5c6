import { AtriumError, AtriumUnreachable } from '@atrium/client'
import { saidOf } from './text/said-of.ts'

/** Words for what the office refuses often; the rest is said by the office itself. */
export interface ProblemWords {
  unreachable: string
  unexpected: string
  tooMany: (seconds: number) => string
  refusals: Readonly<Record<string, string>>
}

/** Whether trying again changes nothing: not where the office does not answer, is ill, or has been asked too often. */
export function isDecided(error: unknown): boolean {
  return error instanceof AtriumError && error.status < 500 && error.status !== 429
}

/** A sentence for the person who has tried something. */
export function sentenceOf(error: unknown, words: ProblemWords): string {
  if (error instanceof AtriumUnreachable) return words.unreachable
  if (!(error instanceof AtriumError)) return words.unexpected
  if (error.status === 429 && error.retryAfterSeconds !== undefined)
    return words.tooMany(error.retryAfterSeconds)
  return saidOf(words.refusals, error.error ?? '') ?? error.message
}
