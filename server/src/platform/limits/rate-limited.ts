import { Refusal } from '../refusal.ts'
import { waitInWords } from '../wait-sentence.ts'

/**
 * The refusal of what comes too fast.
 * @param limit how many are allowed, where no budget has told the caller already
 */
export function rateLimited(retryAfterSeconds: number, limit?: number): Refusal {
  const message = `Too many requests; try again in ${waitInWords(retryAfterSeconds)}`
  return Refusal.of('rate-limited', {
    ...{ message, retryAfterSeconds },
    ...(limit === undefined ? {} : { limit }),
  })
}

/** The headers of a limit that is used up. */
export function headersOfLimit(limit: number, resetSeconds: number): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': '0',
    'ratelimit-reset': String(resetSeconds),
  }
}
