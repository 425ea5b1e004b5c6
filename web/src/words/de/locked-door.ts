import type { en } from '../en/locked-door.ts'

export const de = {
  title: (room) => `${room} ist abgeschlossen`,
  about: 'Klopf an: Alle drinnen hören es, und jeder von ihnen kann dich einlassen.',
  knock: 'Anklopfen',
  cancel: 'Nicht mehr warten',
  waiting: 'Du hast geklopft. Gleich kommt eine Antwort …',
  empty: 'Es ist niemand mehr drin. Versuch einzutreten.',
  later: 'Die Antwort: später.',
  no: 'Sie können dich jetzt nicht einlassen.',
  expired: 'Es hat niemand geantwortet.',
} satisfies typeof en
