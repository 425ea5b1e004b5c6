import type { en } from '../en/exports.ts'

export const de = {
  ofOrganization: 'Export der Organisation',
  ofOrganizationAbout:
    'Ein Archiv mit Leuten, Räumen, Chat, Liste der Aufnahmen, Bildern und Protokoll. Es enthält die Gespräche aller.',
  ofOneself: 'Export deiner Daten',
  ofOneselfAbout: 'Ein Archiv von allem, was hier über dich gespeichert ist.',
  start: 'Archiv anlegen',
  none: 'In den letzten 30 Tagen wurde keines angelegt.',
  list: 'Archive',
  loading: 'Wird gelesen',
  failed: 'Das konnte nicht gelesen werden.',
  running: (percent) => `wird angelegt: ${percent} %`,
  states: {
    ready: 'fertig, für einen Tag',
    failed: 'konnte nicht angelegt werden',
    expired: 'nicht mehr da',
  },
  download: 'Herunterladen',
  of: (time) => `Archiv vom ${time}`,
} satisfies typeof en
