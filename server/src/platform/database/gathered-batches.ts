import { AsyncLocalStorage } from 'node:async_hooks'
import { after, turnEnd } from '../timing/timer.ts'

/** Batches of one kind under way, from where on the next one gathers. */
const UNDER_WAY_MAX = 2
/** Longest that a batch waits for those before it: where they hang, nothing hangs behind them. */
const GATHER_MS = 2

/** When batches of reads begin: the busier it is, the more questions share a statement. */
export interface GatheredBatches {
  /**
   * Calls `begin` at the end of this turn of the event loop, where few batches are under way; else once one of them is
   * answered. What asks meanwhile is of this batch.
   */
  schedule(begin: () => void): void
  /** Runs a batch. */
  run<T>(batch: () => Promise<T>): Promise<T>
}

export function gatheredBatches(): GatheredBatches {
  let underWay = 0
  let beginNext: (() => void) | undefined
  return {
    schedule(begin) {
      if (underWay < UNDER_WAY_MAX) return turnEnd(begin, warn)()
      // it belongs to the request that asked first, not to the one that is answered
      const beginOnce = AsyncLocalStorage.bind(() => {
        late.stop()
        if (beginNext !== beginOnce) return
        beginNext = undefined
        begin()
      })
      // one that is full already
      beginNext?.()
      beginNext = beginOnce
      const late = after(GATHER_MS, beginOnce, warn)
    },
    async run(batch) {
      underWay += 1
      try {
        return await batch()
      } finally {
        underWay -= 1
        beginNext?.()
      }
    },
  }
}

function warn(error: unknown): void {
  process.emitWarning(error as Error)
}
