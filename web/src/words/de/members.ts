import type { en } from '../en/members.ts'

export const de = {
  title: 'Mitglieder',
} satisfies typeof en
