import type { en } from './en/first-run.ts'
import { wordsOf } from './words-of.ts'

export const useFirstRunWords = await wordsOf<typeof en>('now-and-then', 'firstRun')
