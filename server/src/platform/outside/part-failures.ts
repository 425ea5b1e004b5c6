/** So many tries without one that succeeds: it is not the fault of what was given. */
const FRUITLESS_TRIES_MAX = 31

export interface Parted<Item> {
  done: Item[]
  /** Those with which it went wrong by themselves too. */
  failed: Item[]
  /** Why, of one of them. */
  cause: unknown
}

/**
 * Does something with many at once; where that goes wrong, with halves of them, down to single ones: what fails by
 * itself stops nothing else. Twice with some where it goes wrong: only for what may be repeated.
 * @throws what `work` throws, where it fails with any item: a party that is away is not asked a thousand times
 */
export async function partFailures<Item>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<void>,
): Promise<Parted<Item>> {
  const parted: Parted<Item> = { done: [], failed: [], cause: undefined }
  const parts = items.length > 0 ? [items] : []
  let fruitless = 0
  // the largest first: many that fail side by side do not look like all of them
  for (let part = parts.shift(); part; part = parts.shift()) {
    try {
      await work(part)
      parted.done.push(...part)
    } catch (error) {
      parted.cause = error
      fruitless += 1
      if (part.length === 1) parted.failed.push(...part)
      else if (parted.done.length === 0 && fruitless >= FRUITLESS_TRIES_MAX) throw error
      else {
        const middle = Math.ceil(part.length / 2)
        parts.push(part.slice(0, middle), part.slice(middle))
      }
    }
  }
  return parted
}

/** The same over many pages, with their failures told once, at the end. */
export interface PartedRun<Item> {
  /** @returns those with which it went well */
  run(items: readonly Item[]): Promise<Item[]>
  /** @throws Error that says how many failed, where some did */
  end(): void
}

/** @param what that failed, as the error names them: "files" */
export function partedRun<Item>(
  what: string,
  work: (items: readonly Item[]) => Promise<void>,
): PartedRun<Item> {
  let failures = 0
  let cause: unknown
  return {
    async run(items) {
      const parted = await partFailures(items, work)
      failures += parted.failed.length
      cause = parted.cause ?? cause
      return parted.done
    },
    end() {
      if (failures > 0) throw new Error(`${failures} ${what} failed, all others did not`, { cause })
    },
  }
}
