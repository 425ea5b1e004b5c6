import type { en } from './en/sign-on.ts'
import { wordsOf } from './words-of.ts'

export const useSignOnWords = await wordsOf<typeof en>('now-and-then', 'signOn')
