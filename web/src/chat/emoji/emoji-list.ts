import { names as en } from '../../words/en/emoji.ts'

export interface NamedEmoji {
  emoji: string
  /** Lower-case words of the language that is shown: what it is called first. */
  name: string
  /** Words that it is found by, English ones too: many know emoji by those. */
  words: readonly string[]
}

/** @param names of one language; others of the standard can be pasted into the search */
export function emojiList(names: string): readonly NamedEmoji[] {
  const named = namesIn(names)
  return [...namesIn(en)].map(([emoji, english]) => {
    const name = named.get(emoji) ?? english
    return { emoji, name, words: [...name.split(' '), ...english.split(' ')] }
  })
}

function namesIn(lines: string): Map<string, string> {
  const entries = lines.trim().split('\n')
  return new Map(
    entries.map((line) => {
      const space = line.indexOf(' ')
      return [line.slice(0, space), line.slice(space + 1)]
    }),
  )
}
