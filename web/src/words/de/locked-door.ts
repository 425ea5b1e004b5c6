import type { en } from '../en/locked-door.ts'

export const de = {
  title: (room) => `${room} ist abgeschlossen`,
  about: 'Klopf an: Alle drinnen hören es, und jeder von ihnen kann dich einlassen.',
  knock: 'Anklopfen',
} satisfies typeof en
