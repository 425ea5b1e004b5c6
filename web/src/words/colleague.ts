import type { en } from './en/colleague.ts'
import { wordsOf } from './words-of.ts'

export const useColleagueWords = await wordsOf<typeof en>('all-day', 'colleague')
