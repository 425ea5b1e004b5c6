import type { NamedEmoji } from './emoji-list.ts'

/** Shown in every toolbar. */
export const QUICK_EMOJI = ['👍', '❤️'] as const

/** Longer ones are none of the standard, and looking at them takes time. */
const UNITS_MAX = 40
const EMOJI = /^\p{RGI_Emoji}$/v

/** One emoji that Unicode recommends for interchange, as the office takes them. */
export function isEmoji(text: string): boolean {
  return text.length <= UNITS_MAX && EMOJI.test(text)
}

/** Those of which a word begins with each word of the query; an emoji that was pasted is found itself. */
export function findEmoji(list: readonly NamedEmoji[], query: string): readonly NamedEmoji[] {
  const text = query.trim()
  if (isEmoji(text)) return [list.find(({ emoji }) => emoji === text) ?? unnamed(text)]
  const wanted = text.toLowerCase().split(/\s+/)
  return list.filter(({ words }) => wanted.every((one) => words.some((word) => word.startsWith(one))))
}

function unnamed(emoji: string): NamedEmoji {
  return { emoji, name: emoji, words: [emoji] }
}
