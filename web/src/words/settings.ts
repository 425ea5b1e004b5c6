import type { en } from './en/settings.ts'
import { wordsOf } from './words-of.ts'

export const useSettingsWords = await wordsOf<typeof en>('now-and-then', 'settings')
