import type { ErrorWord } from '@atrium/contract'
import { rateLimited } from '../../../platform/limits/rate-limited.ts'
import { invalidInput, Refusal, type RefusalWord } from '../../../platform/refusal.ts'
import { raisedRate } from '../raised-rate.ts'

/** What the functions of chat raise. */
interface Raised {
  code?: string
  message?: string
  hint?: string
  detail?: string
}

/** Words of the contract that functions of chat raise as they are, with a state `PT…`. */
const RAISED_WORDS = [
  ...(['conversation-not-found', 'message-not-found', 'message-of-another', 'room-not-found'] as const),
  ...(['attachment-not-found'] as const),
  ...(['changed-meanwhile', 'edit-window-over', 'too-many-reactions'] as const),
] as const satisfies readonly ErrorWord[]

/** What a caller is told of what a function of chat has raised; undefined where that is a defect. */
export function refusalOfRaised(error: unknown): Refusal | undefined {
  const { code = '', message = '' } = error as Raised
  const rate = raisedRate(error as Raised)
  const word = RAISED_WORDS.find((one) => one === message)
  if (word) return Refusal.of(word satisfies RefusalWord)
  switch (code) {
    case '23514':
      return invalidInput([{ field: 'content', message }])
    // what it answers is not in the conversation
    case '23503':
      return Refusal.of('message-not-found')
    case '42501':
      return Refusal.of('conversation-not-found')
    case 'PT403':
      return Refusal.of('conversation-closed', { message })
    default:
      return rate && rateLimited(rate.retryAfterSeconds, rate.limit)
  }
}
