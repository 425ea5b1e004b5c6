import type { en } from './en/retention.ts'
import { wordsOf } from './words-of.ts'

export const useRetentionWords = await wordsOf<typeof en>('now-and-then', 'retention')
