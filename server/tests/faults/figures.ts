import { randomInt } from 'node:crypto'
import type { TestContext } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    figures?: Figures
  }
}

/** What a trial of a fault has measured, by name; names in milliseconds end in `Ms`. */
export type Figures = Readonly<Record<string, number>>

/**
 * Of all that is left to chance in the trials: `npx node scripts/test-faults.ts --seed N`, else another one each time.
 */
export const seed = Number(process.env.FAULT_SEED) || randomInt(1, 2 ** 31)

/** How often a fault is repeated: as given by `--rounds N`, else `usually`. */
export function rounds(usually: number): number {
  return Number(process.env.FAULT_ROUNDS) || usually
}

let state = seed

/** From 0 to 1, the same row of numbers for one seed (mulberry32). */
export function chance(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** Puts figures into the result of `npx node scripts/test-faults.ts`, with the seed. */
export function tellFigures({ task }: Pick<TestContext, 'task'>, figures: Figures): void {
  const rounded = Object.entries(figures).map(([name, value]) => [name, Math.round(value * 100) / 100])
  task.meta.figures = { ...task.meta.figures, seed, ...Object.fromEntries(rounded) }
}

/** p50, p99 and the longest of times in milliseconds, as figures of a name. */
export function percentiles(name: string, times: readonly number[]): Figures {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN
  return { [`${name}P50Ms`]: at(0.5), [`${name}P99Ms`]: at(0.99), [`${name}MaxMs`]: at(1) }
}
