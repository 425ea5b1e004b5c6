import type { MailLanguage } from '../../platform/mail/mail-language.ts'

const en = {
  subject: (inviter: string, organization: string) => `${inviter} invites you to ${organization}`,
  invites: (inviter: string, organization: string) => `${inviter} invites you to join ${organization}.`,
  look: 'You can look at the invitation and accept it here:',
  button: 'Look at the invitation',
  orOpen: 'Or open this address:',
  works: (to: string, until: string) =>
    `It is for ${to} alone and works until ${until} (UTC). Opening it does not use it up.`,
  stranger: (inviter: string) =>
    `If you do not know ${inviter}, you can ignore this mail: nothing will happen.`,
}

const de: typeof en = {
  subject: (inviter, organization) => `${inviter} lädt dich zu ${organization} ein`,
  invites: (inviter, organization) => `${inviter} lädt dich ein, Mitglied von ${organization} zu werden.`,
  look: 'Sieh dir die Einladung an, und nimm sie dort an, wenn du möchtest:',
  button: 'Einladung ansehen',
  orOpen: 'Oder öffne diese Adresse:',
  works: (to, until) =>
    `Sie ist nur für ${to} und gilt bis ${until} (UTC). Sie zu öffnen verbraucht sie nicht.`,
  stranger: (inviter) =>
    `Kennst du ${inviter} nicht, kannst du diese Mail ignorieren: Dann geschieht nichts.`,
}

/** Of the mail that invites. */
export const invitationWords: Record<MailLanguage, typeof en> = { en, de }
