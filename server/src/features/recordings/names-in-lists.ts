import { NOBODY_NAME } from '../../directory/erasure.ts'

/** A text without some names: where they stand as words of their own, in any case. `Ann` stays in `Annual`. */
export function withoutNames(text: string, names: readonly string[]): string {
  const longestFirst = names.toSorted((one, other) => other.length - one.length)
  return longestFirst.reduce((rest, name) => rest.replaceAll(wordsOf(name), NOBODY_NAME), text)
}

function wordsOf(name: string): RegExp {
  const literal = name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'giu')
}
