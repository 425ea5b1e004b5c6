import type { en } from '../en/retention.ts'

export const de = {
  title: 'Wie lange etwas aufbewahrt wird',
  loading: 'Wird gelesen',
  failed: 'Das konnte nicht gelesen werden.',
  change: 'Ändern',
  save: 'Speichern',
  saved: 'Gespeichert',
  chatDays: 'Nachrichten',
  auditDays: 'Protokoll',
  recordingDays: 'Aufzeichnungen',
  sessionDays: 'Anmeldungen',
  inDays: (name) => `${name}, in Tagen`,
  days: (days) => (days === null ? 'für immer' : days === 1 ? '1 Tag' : `${days} Tage`),
  asDeployment: (days) => `${days}, wie dieses Büro es vorgibt`,
  hint: (least, most) => (least > 1 ? `Mindestens ${least} Tage. Leer: ${most}` : `Leer: ${most}`),
  about:
    'Was älter ist, wird binnen einer Stunde gelöscht und lässt sich nicht zurückholen. Aufzeichnungen mit Löschsperre bleiben. Wer länger angemeldet ist, meldet sich neu an.',
} satisfies typeof en
