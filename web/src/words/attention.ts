import type { en } from './en/attention.ts'
import { wordsOf } from './words-of.ts'

export const useAttentionWords = await wordsOf<typeof en>('all-day', 'attention')
