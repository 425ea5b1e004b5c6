import type { en } from '../en/copying.ts'

export const de = {
  copied: 'Kopiert',
  byHand: 'Das ließ sich nicht kopieren. Markiere und kopiere es selbst.',
} satisfies typeof en
