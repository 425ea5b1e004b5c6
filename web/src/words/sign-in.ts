import type { en } from './en/sign-in.ts'
import { wordsOf } from './words-of.ts'

export const useSignInWords = await wordsOf<typeof en>('at-the-door', 'signIn')
