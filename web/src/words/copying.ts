import type { en } from './en/copying.ts'
import { wordsOf } from './words-of.ts'

export const useCopyingWords = await wordsOf<typeof en>('all-day', 'copying')
