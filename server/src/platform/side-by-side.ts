/** Does something for each item, at most `limit` at a time. @returns the results in the order of the items */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length)
  const waiting = items.entries()
  const takeNext = async () => {
    for (const [index, item] of waiting) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, takeNext))
  return results
}
