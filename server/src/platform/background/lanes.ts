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

/** What the lanes have in common, for the functions below. */
interface Shared<Item> {
  readonly count: number
  readonly take: () => Promise<Item | undefined>
  readonly work: (item: Item) => Promise<void>
  readonly running: Set<Promise<void>>
  calls: number
  /** The last call after which there was nothing left. */
  answered: number
  failures: number
  lastFailure: unknown
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
  const lanes: Shared<Item> = {
    ...{ count, take, work, running: new Set(), calls: 0, answered: 0, failures: 0 },
    lastFailure: undefined,
  }
  return {
    drain() {
      lanes.calls += 1
      open(lanes)
      return idle(lanes)
    },
    idle: () => idle(lanes),
  }
}

function open<Item>(lanes: Shared<Item>): void {
  const { running, count } = lanes
  if (running.size >= count) return
  const lane = run(lanes)
  running.add(lane)
  const end = () => {
    running.delete(lane)
    if (lanes.answered !== lanes.calls) open(lanes)
  }
  lane.then(end, (error: unknown) => {
    running.delete(lane)
    lanes.failures += 1
    lanes.lastFailure = error
  })
}

async function run<Item>(lanes: Shared<Item>): Promise<void> {
  for (let item = await next(lanes); item !== undefined; item = await next(lanes)) {
    // where one is, there may be more: an idle queue is looked at by one lane alone
    open(lanes)
    await lanes.work(item)
  }
}

async function next<Item>(lanes: Shared<Item>): Promise<Item | undefined> {
  for (;;) {
    const seen = lanes.calls
    const item = await lanes.take()
    if (item !== undefined) return item
    // what came while we looked may have been missed
    if (seen !== lanes.calls) continue
    lanes.answered = seen
    return undefined
  }
}

async function idle<Item>(lanes: Shared<Item>): Promise<void> {
  const before = lanes.failures
  while (lanes.running.size > 0) await Promise.allSettled([...lanes.running])
  if (lanes.failures > before) throw lanes.lastFailure
}
