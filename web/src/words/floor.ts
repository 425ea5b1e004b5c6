import type { en } from './en/floor.ts'
import { wordsOf } from './words-of.ts'

export const useFloorWords = await wordsOf<typeof en>('all-day', 'floor')
