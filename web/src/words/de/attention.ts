import type { en } from '../en/attention.ts'

export const de = {
  somebody: 'Jemand',
  knocks: (name) => `${name} klopft`,
  waits: (name) => `${name} wartet vor der Tür`,
  waitsAbout: 'Ein Gast möchte herein.',
} satisfies typeof en
