import type { en } from './en/locked-door.ts'
import { wordsOf } from './words-of.ts'

export const useLockedDoorWords = await wordsOf<typeof en>('all-day', 'lockedDoor')
