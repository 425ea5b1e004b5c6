import type { en } from '../en/sealed.ts'

export const de = {
  sealed: 'Versiegelt',
  about:
    'Ton, Bild und geteilte Bildschirme sind von Gerät zu Gerät verschlüsselt. Weder das Büro noch sein Medienserver kann sie öffnen.',
  waiting: 'Der Schlüssel des Raums fehlt noch. Bis er da ist, hört und sieht dich niemand.',
  words:
    'Lest euch diese vier Wörter vor. Haben alle dieselben, hat niemand einen eigenen Schlüssel dazwischengeschoben:',
  noWords: 'Die vier Wörter stehen noch nicht fest.',
  chat: 'Der Chat des Raums, und wer hier ist, sind nicht versiegelt: Das Büro kann es lesen.',
  unsealed: (names: string): string =>
    `Der Schlüssel ist nicht für ${names}: Dort ist nichts zu hören und zu sehen.`,
  changed: (names: string): string =>
    `${names}: ein anderer Schlüssel als zuvor. Das ist so auf einem neuen Gerät oder in einem anderen Browser. Vergleicht die vier Wörter.`,
  accept: 'Wir haben sie verglichen',
} satisfies typeof en
