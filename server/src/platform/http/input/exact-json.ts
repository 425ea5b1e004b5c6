import { ANY_TEXT, overBound } from './bounds.ts'

/** A number as it was written: `JSON.stringify` writes it as it is. */
export interface RawJson {
  readonly rawJSON: string
}

type Revive = (key: string, value: unknown, context: { source?: string }) => unknown

/** Of ECMAScript 2026, which the library of the compiler does not know yet. */
const json = JSON as unknown as {
  parse(text: string, revive: Revive): unknown
  rawJSON(text: string): RawJson
  isRawJSON(value: unknown): value is RawJson
}

/** Numbers of fewer digits lose none. */
const MANY_DIGITS = /\d{16}/
/** No exponent: a few characters of it are a hundred thousand digits. */
const WHOLE = /^-?\d+$/

export function isRawJson(value: unknown): value is RawJson {
  return json.isRawJSON(value)
}

/**
 * Whether JSON may hold numbers that lose digits where they are read as JavaScript reads them. Never where it has more in
 * it than any input may: that is refused by its bounds, and to read it exactly takes ten times as long.
 */
export function wantsExactness(text: string): boolean {
  if (!MANY_DIGITS.test(text)) return false
  try {
    return overBound(JSON.parse(text), ANY_TEXT) === undefined
  } catch {
    // plain reading says what is wrong with it
    return false
  }
}

/**
 * Parses JSON so that whole numbers keep their digits: those above 2^53 come as `RawJson`. A member that would stand for
 * a prototype is dropped.
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  return json.parse(text, (key, value, { source }) => {
    if (key === '__proto__') return undefined
    const isLossy = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
    return isLossy && source !== undefined && WHOLE.test(source) ? json.rawJSON(source) : value
  })
}
