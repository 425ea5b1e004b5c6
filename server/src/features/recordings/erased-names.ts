import { NOBODY_NAME } from '../../directory/erasure.ts'

/**
 * A list of people without the erased one: where a name or an address is all that is said of one of them, in any case. What is
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
 * A text without the erased person: their addresses, and their names of several words, in any case. A name of one word may be a
 * word of the language too: taken out of "Will we ship?" it would leave nonsense, and say nothing of anybody.
 */
export function withoutNamesInText(text: string, known: readonly string[]): string {
  const longestFirst = known
    .filter((one) => /[@\s]/.test(one.trim()))
    .toSorted((one, other) => other.length - one.length)
  return longestFirst.reduce((rest, one) => rest.replaceAll(wordsOf(one), NOBODY_NAME), text)
}

/**
 * Words without the names of several words of a person who is erased: the first word then says that a person is
 * gone, the others go. Names of one word stay, as they do in a text.
 */
export function withoutNamesInWords<Word extends { text: string }>(
  words: readonly Word[],
  known: readonly string[],
): Word[] {
  const names = known.map((name) => name.trim().split(/\s+/).map(bare)).filter(({ length }) => length > 1)
  const bareWords = words.map(({ text }) => bare(text))
  const rest: Word[] = []
  for (let at = 0; at < words.length; ) {
    const found = names
      .filter((name) => name.every((part, index) => bareWords[at + index] === part))
      .sort((one, other) => other.length - one.length)[0]
    const word = words[at] as Word
    rest.push(found ? { ...word, text: NOBODY_NAME } : word)
    at += found?.length ?? 1
  }
  return rest
}

/** Without what stands around it in a sentence, in small letters. */
function bare(word: string): string {
  return word.toLowerCase().replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
}

function wordsOf(name: string): RegExp {
  const literal = name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'giu')
}
