import type { en } from './en/administration.ts'
import { wordsOf } from './words-of.ts'

export const useAdministrationWords = await wordsOf<typeof en>('now-and-then', 'administration')
