import type { en } from './en/programs.ts'
import { wordsOf } from './words-of.ts'

export const useProgramsWords = await wordsOf<typeof en>('now-and-then', 'programs')
