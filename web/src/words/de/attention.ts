import type { en } from '../en/attention.ts'

export const de = {
  somebody: 'Jemand',
  waits: (name) => `${name} wartet vor der Tür`,
  waitsAbout: 'Ein Gast möchte herein.',
  wereIn: (room) => `Du warst in ${room}`,
  backTo: (room) => `Zurück nach ${room}`,
  isFree: (name) => `${name} ist jetzt frei`,
  talk: 'Sprechen',
  everybody: 'alle',
  reply: 'Antworten',
  missed: (name) => `${name} hat geschrieben, während du weg warst`,
  missedAbout: 'Soll dein Browser beim nächsten Mal Bescheid geben?',
  notify: 'Bescheid geben',
  notNow: 'Nicht jetzt',
} satisfies typeof en
