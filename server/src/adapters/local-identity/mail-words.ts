import type { MailLanguage } from '../../platform/mail/mail-language.ts'

const en = {
  subject: (code: string) => `${code} is your sign-in code`,
  codeFor: (host: string) => `Your sign-in code for ${host} is:`,
  works: (minutes: number) => `It works once, for ${minutes} minutes.`,
  joining: (organization: string) => `It makes you a member of ${organization}.`,
  newest: 'Only the newest code works.',
  secret: 'We will never ask you for it. If you did not ask for it, you can ignore this mail.',
}

const de: typeof en = {
  subject: (code) => `${code} ist dein Anmeldecode`,
  codeFor: (host) => `Dein Anmeldecode für ${host}:`,
  works: (minutes) => `Er gilt einmal und ${minutes} Minuten lang.`,
  joining: (organization) => `Mit ihm wirst du Mitglied von ${organization}.`,
  newest: 'Nur der neueste Code gilt.',
  secret:
    'Niemand von uns wird dich je danach fragen. Hast du ihn nicht angefordert, kannst du diese Mail ignorieren.',
}

/** Of the mail with a code. */
export const codeWords: Record<MailLanguage, typeof en> = { en, de }
