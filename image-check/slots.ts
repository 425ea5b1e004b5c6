export interface Slots {
  /** Waits for a slot. @returns how to leave it; undefined where too many wait already */
  enter(): Promise<(() => void) | undefined>
}

/** So many at once, in the order in which they came. */
export function makeSlots({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }): Slots {
  const waiting: (() => void)[] = []
  let taken = 0
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else taken -= 1
  }
  return {
    async enter() {
      if (taken < atOnce) taken += 1
      else if (waiting.length >= waitingMax) return undefined
      else await new Promise<void>((resolve) => waiting.push(resolve))
      return leave
    },
  }
}
