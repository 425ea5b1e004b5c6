import { backoffMs } from '../requests/backoff.ts'

interface Lane {
  /** Which entry is on its way. */
  busy?: string | undefined
  failures: number
  error?: unknown
  /** By the monotonic clock. */
  notBefore: number
  /** The office has said so: a connection that is back changes nothing. */
  isWanted: boolean
  timer?: ReturnType<typeof setTimeout> | undefined
}

/** When the next entry of each lane may be tried. */
export interface Lanes {
  /** What went wrong in the lane the last time; undefined where nothing has. */
  failureOf(lane: string): { error: unknown } | undefined
  isBusyWith(lane: string, id: string): boolean
  isFree(lane: string): boolean
  /** How many lanes have an entry on its way. */
  busy(): number
  begin(lane: string, id: string): void
  succeed(lane: string): void
  /** Waits, and calls back when the lane is free again. */
  fail(lane: string, error: unknown, retryAfterSeconds: number): void
  /** Waits no longer, but where the office wants it. */
  wake(lane?: string): void
  close(): void
}

export function createLanes(onFree: () => void, random: () => number): Lanes {
  const lanes = new Map<string, Lane>()
  const of = (name: string): Lane => {
    const lane = lanes.get(name) ?? { failures: 0, notBefore: 0, isWanted: false }
    lanes.set(name, lane)
    return lane
  }
  return {
    failureOf(name) {
      const lane = lanes.get(name)
      return lane && lane.failures > 0 ? { error: lane.error } : undefined
    },
    isBusyWith: (name, id) => lanes.get(name)?.busy === id,
    isFree(name) {
      const lane = lanes.get(name)
      return !lane || (lane.busy === undefined && performance.now() >= lane.notBefore)
    },
    busy: () => [...lanes.values()].filter(({ busy }) => busy !== undefined).length,
    begin(name, id) {
      of(name).busy = id
    },
    succeed: (name) => void lanes.delete(name),
    fail(name, error, retryAfterSeconds) {
      const lane = of(name)
      const wait = backoffMs(lane.failures + 1, retryAfterSeconds, random)
      clearTimeout(lane.timer)
      Object.assign(lane, {
        busy: undefined,
        failures: lane.failures + 1,
        error,
        notBefore: performance.now() + wait,
        isWanted: retryAfterSeconds > 0,
        timer: setTimeout(() => {
          lane.notBefore = 0
          onFree()
        }, wait),
      })
    },
    wake(name) {
      for (const [known, lane] of lanes)
        if ((name === undefined || known === name) && !lane.isWanted) lane.notBefore = 0
    },
    close() {
      for (const { timer } of lanes.values()) clearTimeout(timer)
      lanes.clear()
    },
  }
}
