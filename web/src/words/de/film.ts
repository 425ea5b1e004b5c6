import type { en } from '../en/film.ts'

export const de = {
  recording: 'Aufzeichnung',
  loading: 'Die Aufzeichnung wird gelesen',
  failed:
    'Diese Aufzeichnung kann nicht angesehen werden: sie ist fort, wird nicht mehr gezeigt oder nicht mit dir geteilt.',
  nothingToWatch: 'Hier gibt es noch nichts anzusehen.',
  speed: 'Tempo',
  times: (rate) => `${String(rate).replace('.', ',')}×`,
  nobodyKnown: 'Jemand, der nicht mehr da ist',
  speech: 'Wer wann sprach',
  chapters: 'Was geschah',
  happened: {
    entered: (name) => `${name} kam`,
    left: (name) => `${name} ging`,
    shared: (name) => `${name} teilte einen Bildschirm`,
    spoke: (name) => `${name} sprach`,
  },
  nameTitle: 'Name',
  name: 'Name der Aufzeichnung',
  saveName: 'Namen speichern',
  shareTitle: 'Teilen',
  notShared: 'Mitglieder können sie ansehen. Teile sie, damit auch Gäste deiner Organisation sie sehen.',
  sharedUntil: (time) => `Alle in der Organisation können sie bis ${time} ansehen.`,
  shareFor: 'Teilen für',
  days: (count) => (count === 1 ? '1 Tag' : `${count} Tage`),
  share: 'Teilen und Link kopieren',
  endSharing: 'Teilen beenden',
} satisfies typeof en
