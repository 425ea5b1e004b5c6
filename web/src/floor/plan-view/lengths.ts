import type { CSSProperties } from 'react'

/** One unit of the plan, as a length: text that is larger makes the whole plan larger, with its names. */
const UNITS_IN_REM = 16

export function length(units: number): string {
  return `${units / UNITS_IN_REM}rem`
}

/** How many pixels a unit has at the moment. */
export function pixelsOfUnit(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / UNITS_IN_REM
}

type Lengths = Readonly<Record<string, number>>

/** Custom properties with lengths: `{ x: 16 }` is `--x: 1rem`. Set by the object model: the policy of the page allows that. */
export function lengths(named: Lengths): CSSProperties {
  return Object.fromEntries(Object.entries(named).map(([name, units]) => [`--${name}`, length(units)]))
}
