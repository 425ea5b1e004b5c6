import type { en } from '../en/administration.ts'

export const de = {
  title: 'Verwaltung',
} satisfies typeof en
