import type { en } from '../en/health.ts'

export const de = {
  title: 'Zustand des Büros',
  loading: 'Wird nachgesehen',
  again: 'Noch einmal nachsehen',
  statuses: {
    ready: 'Das Büro läuft.',
    'not-ready': 'Das Büro läuft zurzeit nicht.',
    draining: 'Dieser Knoten wird angehalten.',
    away: 'Das Büro antwortet nicht.',
  },
  states: { ok: 'in Ordnung', degraded: 'gestört; das übrige Büro läuft weiter', down: 'ausgefallen' },
  parts: {
    database: 'Datenbank',
    mail: 'Post',
    broker: 'Verbindungen',
    storage: 'Bilder und Aufzeichnungen',
    imageCheck: 'Prüfung der Bilder',
    media: 'Ton und Bild in Räumen',
  },
  load: {
    show: 'Zeigen, welche Organisationen diesen Knoten beschäftigen',
    token: 'METRICS_TOKEN',
    tokenHint: 'Das Zeichen des Betreibers; es wird nicht aufbewahrt.',
    wrongToken: 'Das ist nicht das Zeichen dieses Büros.',
    absent: 'Diese Adresse sagt es nicht: Sieh nach METRICS_PORT, oder gib npx atrium top ein.',
    nothing: 'Keine Organisation hat zuletzt etwas gefragt.',
    organization: 'Organisation',
    columns: ['Anfragen/s', 'abgelehnt/s', 'wartend %', 'rechnend %', 'Mittel ms'],
    others: 'andere',
    caption: (seconds: number) => `Die letzten ${seconds} s dieses Knotens`,
  },
  mend: {
    database: 'Sieh nach DATABASE_URL und dem Server; npx atrium doctor sagt mehr.',
    mail: 'Niemand bekommt einen Code: Sieh nach SMTP_URL und dem Mailserver.',
    broker: 'Niemand sieht Änderungen: Sieh nach CENTRIFUGO_API_URL und dem Schlüssel.',
    storage: 'Sieh nach den S3-Einstellungen, oder nach der Platte von DATA_DIR.',
    imageCheck: 'Neue Bilder werden abgelehnt: Sieh nach IMAGE_CHECK_URL.',
    media: 'Räume haben keinen Ton: Sieh nach LIVEKIT_URL und dem Schlüssel.',
  },
} satisfies typeof en
