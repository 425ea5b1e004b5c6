/** Every so often a timer has to come while something is timed. */
const TICK_MS = 20
/** How often what is timed may have waited as long as the slowest of these timers. */
const WAITS = 20

export interface Timed<Result> {
  result: Result
  ms: number
  /** What a busy machine may have added to it: little on a quiet one, where a bound is to be strict. */
  allowance: number
}

/** Runs `work` and says how long it took, and how slow the machine was meanwhile: `ms` stays below a bound + `allowance`. */
export async function timed<Result>(work: () => Promise<Result>): Promise<Timed<Result>> {
  const began = performance.now()
  let [last, latest] = [began, 0]
  const look = () => {
    const now = performance.now()
    latest = Math.max(latest, now - last - TICK_MS)
    last = now
  }
  const timer = setInterval(look, TICK_MS)
  try {
    const result = await work()
    look()
    return { result, ms: performance.now() - began, allowance: WAITS * latest }
  } finally {
    clearInterval(timer)
  }
}

/** Milliseconds of the processor, of which a busy machine gives less but does not take more. */
export function processorTime(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** The same of work that waits meanwhile. What else this process does in that time counts too. */
export async function processorTimeOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Keeps the processor for so many milliseconds of its own, under any other load of the machine. */
export function busy(ms: number): void {
  const began = process.threadCpuUsage()
  for (;;) {
    const { user, system } = process.threadCpuUsage(began)
    if ((user + system) / 1_000 >= ms) return
  }
}
