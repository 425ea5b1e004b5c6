import { NOBODY_NAME } from '../../directory/erasure.ts'

/**
 * A list of people without somebody: where a name or an address is all that is said of one of them, in any case. What is
 * beside it in brackets goes with it. `Will` leaves `Willow` and `Will he come` as they are.
 */
export function withoutNamesInList(list: string, known: readonly string[]): string {
  const theirs = new Set(known.map((one) => one.toLowerCase()))
  const entries = list.split(/([,;\n])/).map((entry) => {
    const [name = ''] = entry.split(/[<(]/, 1)
    return theirs.has(name.trim().toLowerCase()) ? entry.replace(entry.trim(), NOBODY_NAME) : entry
  })
  return withoutNamesInText(entries.join(''), known)
}

/**
 * A text without somebody: their addresses, and their names of several words, in any case. A name of one word may be a
 * word of the language too: taken out of "Will we ship?" it would leave nonsense, and say nothing of anybody.
 */
export function withoutNamesInText(text: string, known: readonly string[]): string {
  const longestFirst = known
    .filter((one) => /[@\s]/.test(one.trim()))
    .toSorted((one, other) => other.length - one.length)
  return longestFirst.reduce((rest, one) => rest.replaceAll(wordsOf(one), NOBODY_NAME), text)
}

function wordsOf(name: string): RegExp {
  const literal = name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'giu')
}
