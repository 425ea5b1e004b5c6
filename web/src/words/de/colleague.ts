import type { en } from '../en/colleague.ts'

export const de = {
  write: 'Schreiben',
  enter: (room) => `${room} betreten`,
  ownProfile: 'Dein Profil',
  knock: 'Klopfen',
  knockTitle: (name) => `Bei ${name} klopfen`,
  knockAbout: 'Es ist 30 Sekunden zu sehen; dann weißt du, ob jemand einen Moment hat.',
  message: 'Nachricht',
  messagePlaceholder: 'Zwei Minuten?',
  where: 'Wo ihr euch trefft',
  anywhere: 'Kein Raum',
  cancel: 'Abbrechen',
} satisfies typeof en
