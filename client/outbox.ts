import type { OutboxStore } from './outbox/entry.ts'
import { outboxStore } from './outbox/page-store.ts'

export type { OutboxEntry, OutboxOwner, OutboxRefusal, OutboxStore, StoredEntry } from './outbox/entry.ts'
export { createIndexedStore } from './outbox/indexed-store.ts'
export { createMemoryStore } from './outbox/memory-store.ts'
export { NotTheirSession } from './outbox/not-their-session.ts'
export {
  createOutbox,
  type NewEntry,
  type Outbox,
  type OutboxItem,
  type OutboxOptions,
  type OutboxSender,
  type OutboxState,
} from './outbox/outbox.ts'
export { outboxStore } from './outbox/page-store.ts'

/** How much of a person is not sent yet, in all their organizations: ask them before they sign out. */
export async function unsentOf(person: string, store: OutboxStore = outboxStore()): Promise<number> {
  return (await store.listOf(person)).filter(({ quiet }) => !quiet).length
}

/** Deletes what a person has not sent, in all their organizations: when they have signed out by hand. */
export async function forgetUnsent(person: string, store: OutboxStore = outboxStore()): Promise<void> {
  for (const { position } of await store.listOf(person)) await store.remove(position)
}
