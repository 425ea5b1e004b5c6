import type { en } from './en/chat-files.ts'
import { wordsOf } from './words-of.ts'

export const useChatFilesWords = await wordsOf<typeof en>('together', 'chatFiles')
