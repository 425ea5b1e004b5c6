import type { en } from '../en/organization-settings.ts'

export const de: typeof en = {
  title: 'Wie dieses Büro arbeitet',
  loading: 'Wird gelesen',
  failed: 'Das ließ sich nicht lesen.',
  saved: 'Gespeichert',
  guestAdmission: 'Wer Gäste einlässt',
  admissions: {
    admin: 'Administratoren',
    moderator: 'Moderatoren und Administratoren',
    member: 'Alle außer Gästen des Teams',
  },
  language: 'Sprache von Mails an Menschen, deren Sprache nicht bekannt ist',
  agents: 'Programme dürfen in Räume kommen',
  agentsHint: 'Assistenten, die zuhören, mitschreiben oder antworten.',
}
