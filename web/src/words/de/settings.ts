import type { en } from '../en/settings.ts'

export const de = {
  title: 'Einstellungen',
} satisfies typeof en
