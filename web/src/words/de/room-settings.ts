import type { en } from '../en/room-settings.ts'

export const de = {
  open: 'Einstellungen des Raums',
  title: (room) => `Einstellungen von ${room}`,
  name: 'Name',
  rename: 'Umbenennen',
  kind: 'Wofür er ist',
  seats: 'Plätze',
  usualSeats: 'Wie üblich',
  dispatch: 'Bots',
  dispatches: {
    none: 'Keine kommen herein',
    'on-request': 'Die, die gerufen werden',
    always: 'Alle, sobald Personen kommen',
  },
  sealedHasNone: 'In einen versiegelten Raum kommen keine Bots.',
  sealed: 'Versiegelt',
  sealedAbout:
    'Ton und Bild sind dann von Gerät zu Gerät verschlüsselt, auch für Gäste. Der Raum lässt sich nicht aufzeichnen, Bots kommen nicht hinein, ältere Browser auch nicht. Der Chat des Raums ist nicht versiegelt.',
  empty: 'Das lässt sich ändern, solange niemand drin ist.',
  done: 'Fertig',
} satisfies typeof en
