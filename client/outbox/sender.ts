import type { OutboxEntry, OutboxOwner } from './entry.ts'

/** `waiting`: it is sent again by itself; `error` says why it was not. `refused`: it is not. */
export type OutboxItem = Omit<OutboxEntry, keyof OutboxOwner> & {
  state: 'sending' | 'waiting' | 'refused'
  error?: unknown
}

/** What sends entries of one kind. */
export interface OutboxSender {
  /** Rejects as `call` does. Sent as another person or in another organization: with `NotTheirSession`. */
  send(item: OutboxItem, owner: OutboxOwner): Promise<unknown>
  /** The office has it, whichever tab has sent it. */
  onSent?(item: OutboxItem, answer: unknown): void
  /** Another tab has sent or dropped it, and its answer was not heard. */
  onGone?(item: OutboxItem): void
}
