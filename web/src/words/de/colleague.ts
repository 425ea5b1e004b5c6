import type { en } from '../en/colleague.ts'

export const de = {
  localTime: (time) => `${time} Ortszeit`,
  write: 'Schreiben',
  joinIn: (room) => `Hinein in ${room}`,
  knockAtRoom: (room) => `An ${room} klopfen`,
  talk: 'Sprechen',
  wave: 'Winken',
  waved: (name) => `Du hast ${name} zugewinkt`,
  follow: 'Folgen',
  followed: (name) => `Du hörst, sobald ${name} frei ist`,
  followedAbout: 'Von diesem Tab, solange er offen ist. Niemand erfährt davon.',
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
