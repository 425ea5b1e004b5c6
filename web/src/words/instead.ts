import type { en } from './en/instead.ts'
import { wordsOf } from './words-of.ts'

export const useInsteadWords = await wordsOf<typeof en>('at-the-door', 'instead')
