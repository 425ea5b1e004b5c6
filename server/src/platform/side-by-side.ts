/**
 * Does something for each item, at most `limit` at a time. Where one fails no other is begun, and what is under way
 * comes to its end first: a second try does not meet work that was left running.
 * @returns the results in the order of the items
 * @throws what the first of them has thrown
 */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length)
  const waiting = items.entries()
  let failure: { error: unknown } | undefined
  const takeNext = async () => {
    for (const [index, item] of waiting) {
      if (failure) return
      try {
        results[index] = await work(item)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, takeNext))
  if (failure) throw failure.error
  return results
}
