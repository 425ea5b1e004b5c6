import type { en } from './en/limits.ts'
import { wordsOf } from './words-of.ts'

export const useLimitsWords = await wordsOf<typeof en>('now-and-then', 'limits')
