import type { en } from '../en/account.ts'

export const de = {
  cancel: 'Abbrechen',
  address: 'E-Mail-Adresse',
  addressAbout: (email) => `Du meldest dich als ${email} an.`,
  newAddress: 'Neue Adresse',
  mailCodes: 'Bestätigungscodes senden',
  codesMailed: 'An jede der beiden Adressen ging ein Code.',
  formerCode: (email) => `Code, der an ${email} ging`,
  newCode: (email) => `Code, der an ${email} ging`,
  change: 'Adresse ändern',
  changed: 'Die Adresse ist geändert. Überall sonst bist du abgemeldet.',
  another: 'Andere Adresse',
  deletion: 'Konto löschen',
  deletionAbout:
    'Du wirst sofort abgemeldet und aus jeder Organisation genommen. Was über dich gespeichert ist, wird innerhalb eines Tages gelöscht, und nichts bringt es zurück.',
  typeAddress: (email) => `Gib ${email} ein, um fortzufahren`,
  mailCode: 'Code schicken',
  code: 'Code aus der Mail',
  deleteForGood: 'Endgültig löschen',
} satisfies typeof en
