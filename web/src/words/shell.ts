import type { en } from './en/shell.ts'
import { wordsOf } from './words-of.ts'

export const useShellWords = await wordsOf<typeof en>('all-day', 'shell')
