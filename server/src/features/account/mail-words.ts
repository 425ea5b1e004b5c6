import type { MailLanguage } from '../../platform/mail/mail-language.ts'

/** Of an account that shall have another address, or is to be deleted. */
const en = {
  leavingSubject: (code: string) => `${code} is your code to change your address`,
  leaving: (host: string) =>
    `Somebody, probably you, asked to change the e-mail address of your account at ${host}. Your code is:`,
  withNew: (minutes: number) =>
    `It works once, for ${minutes} minutes, together with the code that was mailed to the new address.`,
  warning:
    'If it was not you, give this code to nobody, and end your other sessions in your profile: somebody is signed in as you.',
  newSubject: (code: string) => `${code} is your code for your new address`,
  newAddress: (host: string) =>
    `Somebody, probably you, wants to use this address for their account at ${host}. The code is:`,
  withFormer: (minutes: number) =>
    `It works once, for ${minutes} minutes, together with the code that was mailed to your previous address.`,
  ignore: 'If it was not you, you can ignore this mail.',
  takenSubject: (host: string) => `You have an account at ${host}`,
  taken: (host: string) =>
    `Somebody, probably you, wants to use this address for another account at ${host}. There is an account under it already, so nothing was changed.`,
  takenAdvice:
    'To free the address, change the address of that account, or delete it. If it was not you, you can ignore this mail.',
  formerSubject: (host: string) => `The address of your account at ${host} was changed`,
  former: (host: string) =>
    `Your account at ${host} has another e-mail address now: you can no longer sign in with this one. Both addresses were confirmed by a code.`,
  formerAdvice: 'If it was not you, tell whoever runs your office at once.',
  deletionSubject: (code: string) => `${code} is your code to delete your account`,
  deletion: (host: string) =>
    `Somebody, probably you, wants to delete your account at ${host}, with everything that is stored about you. It cannot be brought back. Your code is:`,
  works: (minutes: number) => `It works once, for ${minutes} minutes.`,
}

const de: typeof en = {
  leavingSubject: (code) => `${code} ist dein Code, um deine Adresse zu ändern`,
  leaving: (host) =>
    `Jemand, wahrscheinlich du, möchte deinem Konto bei ${host} eine andere E-Mail-Adresse geben. Dein Code:`,
  withNew: (minutes) =>
    `Er gilt einmal und ${minutes} Minuten lang, zusammen mit dem Code, der an die neue Adresse ging.`,
  warning:
    'Warst du es nicht, gib diesen Code niemandem, und beende deine anderen Sitzungen in deinem Profil: Jemand ist als du angemeldet.',
  newSubject: (code) => `${code} ist dein Code für deine neue Adresse`,
  newAddress: (host) =>
    `Jemand, wahrscheinlich du, möchte diese Adresse für das eigene Konto bei ${host} verwenden. Der Code:`,
  withFormer: (minutes) =>
    `Er gilt einmal und ${minutes} Minuten lang, zusammen mit dem Code, der an die bisherige Adresse ging.`,
  ignore: 'Warst du es nicht, kannst du diese Mail ignorieren.',
  takenSubject: (host) => `Du hast ein Konto bei ${host}`,
  taken: (host) =>
    `Jemand, wahrscheinlich du, möchte diese Adresse für ein anderes Konto bei ${host} verwenden. Unter ihr gibt es schon ein Konto; deshalb wurde nichts geändert.`,
  takenAdvice:
    'Soll die Adresse frei werden, gib jenem Konto eine andere Adresse, oder lösche es. Warst du es nicht, kannst du diese Mail ignorieren.',
  formerSubject: (host) => `Die Adresse deines Kontos bei ${host} wurde geändert`,
  former: (host) =>
    `Dein Konto bei ${host} hat jetzt eine andere E-Mail-Adresse: Mit dieser meldet man sich nicht mehr an. Beide Adressen wurden durch einen Code bestätigt.`,
  formerAdvice: 'Warst du es nicht, sag es sofort denen, die dein Büro betreiben.',
  deletionSubject: (code) => `${code} ist dein Code, um dein Konto zu löschen`,
  deletion: (host) =>
    `Jemand, wahrscheinlich du, möchte dein Konto bei ${host} löschen, mit allem, was über dich gespeichert ist. Es lässt sich nicht zurückholen. Dein Code:`,
  works: (minutes) => `Er gilt einmal und ${minutes} Minuten lang.`,
}

export const accountMailWords: Record<MailLanguage, typeof en> = { en, de }
