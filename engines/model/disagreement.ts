import { isDeepStrictEqual } from 'node:util'

/** The office has done otherwise than the rules say. */
export class Disagreement extends Error {}

/** @throws Disagreement where they differ */
export function same(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return
  throw new Disagreement(`${what}: the rules say ${shown(expected)}, the office says ${shown(found)}`)
}

/** The fields that are expected are there as expected; others may be beside them. @throws Disagreement where not */
export function holds(what: string, found: unknown, expected: object): void {
  const fields = Object.keys(expected)
  const theirs = typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {}
  same(what, Object.fromEntries(fields.map((field) => [field, theirs[field]])), expected)
}

export const shown = (value: unknown) => JSON.stringify(value) ?? 'nothing'
