import type { en } from './en/problems.ts'
import { wordsOf } from './words-of.ts'

export const useProblemsWords = await wordsOf<typeof en>('at-the-door', 'problems')
