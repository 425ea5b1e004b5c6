import type { en } from '../en/calendar.ts'

export const de = {
  title: 'Kalender',
} satisfies typeof en
