import type { en } from './en/room.ts'
import { wordsOf } from './words-of.ts'

export const useRoomWords = await wordsOf<typeof en>('together', 'room')
