import { wordsOf } from './words-of.ts'

/** Lines of an emoji and its words, as `emojiList` reads them. */
export const useEmojiNames = await wordsOf<string>('emoji', 'names')
