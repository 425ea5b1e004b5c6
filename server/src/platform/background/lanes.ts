/** Several lanes that take items one after the other, until there is none. */
export interface Lanes {
  /**
   * Looks for items, also while others are under way. Resolves when none is left and none is under way.
   * @throws what `take` or `work` threw
   */
  drain(): Promise<void>
  /** Resolves when none is under way. */
  idle(): Promise<void>
}

/**
 * @param count how many items are under way at a time
 * @param take the next item, if there is one now
 */
export function openLanes<Item>(
  count: number,
  take: () => Promise<Item | undefined>,
  work: (item: Item) => Promise<void>,
): Lanes {
  const running = new Set<Promise<void>>()
  let calls = 0
  /** The last call after which there was nothing left. */
  let answered = 0
  let failures = 0
  let lastFailure: unknown

  const takeUnlessCalled = async () => {
    for (;;) {
      const seen = calls
      const item = await take()
      if (item !== undefined) return item
      // what came while we looked may have been missed
      if (seen !== calls) continue
      answered = seen
      return undefined
    }
  }
  const run = async () => {
    for (let item = await takeUnlessCalled(); item !== undefined; item = await takeUnlessCalled()) {
      // where one is, there may be more: an idle queue is looked at by one lane alone
      open()
      await work(item)
    }
  }
  const open = () => {
    if (running.size >= count) return
    const lane = run()
    running.add(lane)
    const end = () => {
      running.delete(lane)
      if (answered !== calls) open()
    }
    lane.then(end, (error: unknown) => {
      running.delete(lane)
      failures += 1
      lastFailure = error
    })
  }
  const idle = async () => {
    const before = failures
    while (running.size > 0) await Promise.allSettled([...running])
    if (failures > before) throw lastFailure
  }
  return {
    drain() {
      calls += 1
      open()
      return idle()
    },
    idle,
  }
}
