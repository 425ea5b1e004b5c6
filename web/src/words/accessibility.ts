import type { en } from './en/accessibility.ts'
import { wordsOf } from './words-of.ts'

export const useAccessibilityWords = await wordsOf<typeof en>('now-and-then', 'accessibility')
