const TIMES = 3

/** Milliseconds of processor that work takes, by the fastest of three times: a busy machine makes each of them dearer. */
export function processorTime(work: () => unknown): number {
  return Math.min(
    ...Array.from({ length: TIMES }, () => {
      const before = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    }),
  )
}
