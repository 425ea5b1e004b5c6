/** Items that wait in order, up to a number of them. */
export interface BoundedQueue<Item> {
  /** @returns false where it is full: the item was not taken */
  offer(item: Item): boolean
  /** The oldest ones. They stay until `remove` is told that they are done with, and count as waiting until then. */
  peek(atMost: number): readonly Item[]
  /** Removes the oldest ones. */
  remove(count: number): void
  size(): number
}

export function boundedQueue<Item>(capacity: number): BoundedQueue<Item> {
  let items: Item[] = []
  return {
    offer(item) {
      if (items.length >= capacity) return false
      items.push(item)
      return true
    },
    peek: (atMost) => items.slice(0, atMost),
    remove(count) {
      items = items.slice(count)
    },
    size: () => items.length,
  }
}
