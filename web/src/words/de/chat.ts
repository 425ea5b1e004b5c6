import type { en } from '../en/chat.ts'

export const de = {
  title: 'Chat',
} satisfies typeof en
