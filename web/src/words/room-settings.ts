import type { en } from './en/room-settings.ts'
import { wordsOf } from './words-of.ts'

export const useRoomSettingsWords = await wordsOf<typeof en>('now-and-then', 'roomSettings')
