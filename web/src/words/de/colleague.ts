import type { en } from '../en/colleague.ts'

export const de = {
  write: 'Schreiben',
  joinIn: (room) => `Hinein in ${room}`,
  knockAtRoom: (room) => `An ${room} klopfen`,
  talk: 'Sprechen',
  wave: 'Winken',
  waved: (name) => `Du hast ${name} zugewinkt`,
  more: 'Mehr',
  ownProfile: 'Dein Profil',
  knock: 'Klopfen',
  knockTitle: (name) => `Bei ${name} klopfen`,
  knockAbout: 'Es ist 30 Sekunden zu sehen. Wird es angenommen, trefft ihr euch, wo du sagst.',
  message: 'Nachricht',
  messagePlaceholder: 'Zwei Minuten?',
  where: 'Wo ihr euch trefft',
  anywhere: 'Kein Raum: schriftlich',
  cancel: 'Abbrechen',
} satisfies typeof en
