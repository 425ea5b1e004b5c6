import type { en } from './en/account.ts'
import { wordsOf } from './words-of.ts'

export const useAccountWords = await wordsOf<typeof en>('now-and-then', 'account')
