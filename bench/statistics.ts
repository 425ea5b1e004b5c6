export interface Spread {
  median: number
  min: number
  max: number
  /** Median of the distances from the median: half of the values lie within it. */
  deviation: number
}

/** The quantile of a list that is sorted ascending, interpolated; 0.5 is the median. */
export function quantile(sorted: readonly number[], q: number): number {
  if (sorted.length === 0) throw new Error('nothing was measured')
  const at = (sorted.length - 1) * q
  const [low, high] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0]
  return low + (high - low) * (at - Math.floor(at))
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = ascending(values)
  const median = quantile(sorted, 0.5)
  return {
    median,
    min: quantile(sorted, 0),
    max: quantile(sorted, 1),
    deviation: quantile(ascending(values.map((value) => Math.abs(value - median))), 0.5),
  }
}

export function ascending(values: Iterable<number>): number[] {
  return [...values].sort((a, b) => a - b)
}
