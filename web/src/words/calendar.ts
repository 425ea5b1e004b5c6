import type { en } from './en/calendar.ts'
import { wordsOf } from './words-of.ts'

export const useCalendarWords = await wordsOf<typeof en>('planning', 'calendar')
