import type { en } from '../en/guest.ts'

export const de = {
  title: 'Gast',
} satisfies typeof en
