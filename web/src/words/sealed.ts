import type { en } from './en/sealed.ts'
import { wordsOf } from './words-of.ts'

export const useSealedWords = await wordsOf<typeof en>('now-and-then', 'sealed')
