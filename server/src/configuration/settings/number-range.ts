import type { Setting } from './setting.ts'

type Ranged = Pick<Setting, 'range' | 'leastAboveNone'>

/** Whether a setting takes this number. */
export function fits({ leastAboveNone = 0, ...setting }: Ranged, value: number): boolean {
  const [smallest, largest] = rangeOf(setting)
  return value >= smallest && value <= largest && (value === 0 || value >= leastAboveNone)
}

/** The numbers that a setting takes, in words. */
export function fittingNumbers({ leastAboveNone, ...setting }: Ranged): string {
  const [smallest, largest] = rangeOf(setting)
  if (leastAboveNone === undefined) return `a whole number from ${smallest} to ${largest}`
  return `0 (no limit), or a whole number from ${leastAboveNone} to ${largest}: less would let nothing pass`
}

function rangeOf({ range = [0, Number.MAX_SAFE_INTEGER] }: Pick<Setting, 'range'>) {
  return range
}
