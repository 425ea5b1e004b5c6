import type { en } from './en/health.ts'
import { wordsOf } from './words-of.ts'

export const useHealthWords = await wordsOf<typeof en>('now-and-then', 'health')
