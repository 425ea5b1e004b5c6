import { after, type Timer } from './timer.ts'

interface Paces {
  /** Never more often. */
  everyMs: number
  /** What is asked for within this time is done together. */
  gatherMs: number
}

/** Work that is done at once where it was not done a moment ago. */
export interface Pace {
  soon(): void
  stop(): void
}

/** @param work answers whether there was anything to do: what was nothing delays nothing */
export function openPace(
  { everyMs, gatherMs }: Paces,
  work: () => Promise<boolean>,
  onFault: (error: unknown) => void,
): Pace {
  let next: Timer | undefined
  let doneAt = Number.NEGATIVE_INFINITY
  let isAsked = false
  const run = async () => {
    isAsked = false
    try {
      if (await work()) doneAt = performance.now()
    } finally {
      next = undefined
      if (isAsked) pace.soon()
    }
  }
  const pace: Pace = {
    soon() {
      isAsked = true
      next ??= after(Math.max(gatherMs, doneAt + everyMs - performance.now()), run, onFault)
    },
    stop: () => next?.stop(),
  }
  return pace
}
