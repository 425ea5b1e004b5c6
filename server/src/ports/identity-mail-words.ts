import type { MailLanguage } from '../platform/mail/mail-language.ts'

/** What an office says to a person who asks for a code and gets none: the same for every sender of codes. */
const en = {
  noAccountSubject: (host: string) => `No account at ${host} yet`,
  noAccount: (host: string) =>
    `Somebody, probably you, tried to sign in to ${host} with this address. There is no account under it.`,
  signUp: 'Sign up, or ask a colleague to invite you if this office is by invitation only:',
  notYou: 'If it was not you, you can ignore this mail.',
  singleSignOnSubject: (host: string) => `Sign in to ${host} with your organization`,
  singleSignOn:
    'Your organization has its own sign-in. Enter this address at the sign-in page: it takes you there, and no code is needed.',
}

const de: typeof en = {
  noAccountSubject: (host) => `Noch kein Konto bei ${host}`,
  noAccount: (host) =>
    `Jemand, wahrscheinlich du, wollte sich bei ${host} mit dieser Adresse anmelden. Unter ihr gibt es kein Konto.`,
  signUp: 'Registriere dich, oder lass dich einladen, falls dieses Büro nur Eingeladene aufnimmt:',
  notYou: 'Warst du es nicht, kannst du diese Mail ignorieren.',
  singleSignOnSubject: (host) => `Bei ${host} mit deiner Organisation anmelden`,
  singleSignOn:
    'Deine Organisation hat eine eigene Anmeldung. Gib diese Adresse auf der Anmeldeseite ein: Sie führt dich dorthin, und ein Code ist nicht nötig.',
}

export const identityMailWords: Record<MailLanguage, typeof en> = { en, de }
