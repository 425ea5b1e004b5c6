import type { en } from './en/small-call.ts'
import { wordsOf } from './words-of.ts'

export const useSmallCallWords = await wordsOf<typeof en>('all-day', 'smallCall')
