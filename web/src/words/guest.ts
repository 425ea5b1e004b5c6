import type { en } from './en/guest.ts'
import { wordsOf } from './words-of.ts'

export const useGuestWords = await wordsOf<typeof en>('now-and-then', 'guest')
