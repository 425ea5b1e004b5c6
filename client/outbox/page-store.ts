import type { OutboxStore } from './entry.ts'
import { createIndexedStore } from './indexed-store.ts'
import { createMemoryStore } from './memory-store.ts'

let known: OutboxStore | undefined

/** The one store of this page: IndexedDB where there is one, else memory. */
export function outboxStore(): OutboxStore {
  known ??= typeof indexedDB === 'undefined' ? createMemoryStore() : createIndexedStore(indexedDB)
  return known
}
