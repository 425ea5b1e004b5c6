import { LRUCache } from 'lru-cache'

/** What a node remembers to spare itself a look at the tables: may be forgotten at any time. */
export type BoundedCache<Key extends {}, Value extends {}> = LRUCache<Key, Value>

/**
 * A cache of at most so many entries; beyond them, what was used longest ago goes. It takes room for what it holds:
 * told as `max`, the number would take it for all entries at once, eight milliseconds and megabytes for 100,000.
 */
export function boundedCache<Key extends {}, Value extends {}>(entriesMax: number): BoundedCache<Key, Value> {
  return new LRUCache({ maxSize: entriesMax, sizeCalculation: () => 1 })
}
