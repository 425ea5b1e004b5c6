import type { en } from './en/members.ts'
import { wordsOf } from './words-of.ts'

export const useMembersWords = await wordsOf<typeof en>('now-and-then', 'members')
