import type { en } from '../en/room.ts'

export const de = {
  title: 'Raum',
} satisfies typeof en
