import { AtriumError, AtriumUnreachable } from '@atrium/client'

/** Words for what the office refuses often; the rest is said by the office itself. */
export interface ProblemWords {
  unreachable: string
  unexpected: string
  tooMany: (seconds: number) => string
  refusals: Readonly<Record<string, string>>
}

/** A sentence for the person who has tried something. */
export function sentenceOf(error: unknown, words: ProblemWords): string {
  if (error instanceof AtriumUnreachable) return words.unreachable
  if (!(error instanceof AtriumError)) return words.unexpected
  if (error.status === 429 && error.retryAfterSeconds !== undefined)
    return words.tooMany(error.retryAfterSeconds)
  return words.refusals[error.error ?? ''] ?? error.message
}
