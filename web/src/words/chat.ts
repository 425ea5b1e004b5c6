import type { en } from './en/chat.ts'
import { wordsOf } from './words-of.ts'

export const useChatWords = await wordsOf<typeof en>('together', 'chat')
