import type { en } from './en/exports.ts'
import { wordsOf } from './words-of.ts'

export const useExportsWords = await wordsOf<typeof en>('now-and-then', 'exports')
