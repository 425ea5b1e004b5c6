import type { en } from '../en/health.ts'

export const de = {
  title: 'Zustand des Büros',
} satisfies typeof en
