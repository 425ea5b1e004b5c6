import type { en } from './en/recordings.ts'
import { wordsOf } from './words-of.ts'

export const useRecordingsWords = await wordsOf<typeof en>('all-day', 'recordings')
