import { AtriumError } from '@atrium/client'
import type { ChatMessage, PendingChange } from '@atrium/client/chat'
import type { en } from '../words/en/chat.ts'

type Words = Pick<
  typeof en,
  | 'sending'
  | 'waiting'
  | 'waitingLimit'
  | 'waitingSession'
  | 'refused'
  | 'refusals'
  | 'changeRefused'
  | 'changeRefusals'
>

/** What became of a message that is not sent, and what to do; "" where it is. */
export function unsentSentence({ state, error }: Pick<ChatMessage, 'state' | 'error'>, words: Words): string {
  if (state === 'sent') return ''
  if (state === 'sending') return words.sending
  if (state === 'waiting') return waitingSentence(error, words)
  const { error: word = '', message = '' } = (error ?? {}) as { error?: string; message?: string }
  return words.refusals[word] ?? words.refused(message)
}

/** The same of an edit or a deletion. */
export function changeSentence({ state, error }: PendingChange, words: Words): string {
  if (state === 'sending') return words.sending
  if (state === 'waiting') return waitingSentence(error, words)
  const { error: word = '', message = '' } = (error ?? {}) as { error?: string; message?: string }
  return words.changeRefusals[word] ?? words.changeRefused(message)
}

function waitingSentence(error: unknown, words: Words): string {
  if (error === undefined) return words.waitingSession
  return error instanceof AtriumError && error.status === 429 ? words.waitingLimit : words.waiting
}
