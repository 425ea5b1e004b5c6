import type { OutboxOwner, OutboxStore, StoredEntry } from './entry.ts'

/** Entries until the page or the program ends. @param first position of the first one */
export function createMemoryStore(first = 1): OutboxStore {
  const entries = new Map<number, StoredEntry>()
  let next = first
  const those = (wanted: (entry: StoredEntry) => boolean) =>
    [...entries.values()].filter(wanted).map((entry) => ({ ...entry }))
  return {
    isDurable: () => false,
    async add(entry) {
      const position = next
      next += 1
      entries.set(position, { ...entry, position })
      return position
    },
    list: async (owner) => those((entry) => isOf(entry, owner)),
    listOf: async (person) => those((entry) => entry.person === person),
    async replace(entry) {
      if (entries.has(entry.position)) entries.set(entry.position, { ...entry })
    },
    async remove(position) {
      entries.delete(position)
    },
    async removeBefore(at) {
      for (const entry of those((one) => one.at < at)) entries.delete(entry.position)
    },
  }
}

function isOf(entry: OutboxOwner, { person, organization }: OutboxOwner): boolean {
  return entry.person === person && entry.organization === organization
}
