import type { en } from '../en/problems.ts'

export const de = {
  unreachable: 'Das Büro antwortet nicht. Prüfe deine Verbindung und versuche es noch einmal.',
  unexpected: 'Hier ist etwas schiefgegangen. Lade die Seite neu.',
  tooMany: (seconds) =>
    seconds < 90
      ? `Zu viele Versuche. Warte ${seconds === 1 ? '1 Sekunde' : `${seconds} Sekunden`}.`
      : `Zu viele Versuche. Warte ${Math.ceil(seconds / 60)} Minuten.`,
  refusals: {
    'invalid-code': 'Dieser Code ist falsch oder abgelaufen. Der neueste gilt.',
    'invalid-invite-token': 'Dieser Link gilt nicht mehr. Bitte um einen neuen.',
    'invitation-expired': 'Diese Einladung ist abgelaufen. Bitte um eine neue.',
    'sign-up-by-invitation': 'In dieses Büro kommt man nur mit einer Einladung.',
    'single-sign-on-required': 'Melde dich über deine Organisation an.',
    'no-email':
      'Die Anmeldung eurer Organisation nennt keine E-Mail-Adresse von dir. Frage deine Verwaltung.',
    'calendar-permission-missing':
      'Der Kalender war nicht unter dem, was du erlaubt hast. Verbinde noch einmal und erlaube, ihn zu lesen.',
    'invalid-pending-authentication-token': 'Das hat zu lange gedauert. Fang noch einmal an.',
    'invitation-for-another-address': 'Diese Einladung ist für eine andere Adresse.',
    'room-exists': 'Es gibt schon einen Raum mit diesem Namen.',
    'room-not-found': 'Diesen Raum gibt es nicht mehr.',
    'member-not-found': 'Diese Person ist nicht mehr hier.',
    'too-many-organizations': 'Du hast so viele Organisationen gegründet, wie eine Person darf.',
    'directory-user-not-found': 'Das Verzeichnis führt diese Person nicht als inaktiv.',
    'directory-user-kept-out':
      'Diese Person wurde hier oder beim Identitätsanbieter entfernt. Lade sie neu ein.',
    'directory-address-stays':
      'Diese Adresse kann nicht freigegeben werden: Die Person ist auch anderswo, oder das DNS bestätigt die Domain nicht.',
    'last-admin': 'Ein Büro behält mindestens eine Administratorin oder einen Administrator.',
    'already-member': 'Diese Person ist schon Mitglied.',
    removed: 'Du wurdest aus dieser Organisation entfernt. Bitte um eine neue Einladung.',
    'role-not-allowed': 'Deine Rolle erlaubt das nicht.',
    'not-allowed-to-admit': 'Über die Gäste dieses Links entscheiden andere.',
    'already-decided': 'Jemand hat schon anders entschieden.',
    'guest-left': 'Der Gast ist gegangen.',
    'recording-running': 'Dieser Raum wird schon aufgezeichnet.',
    'invitation-accepted': 'Diese Einladung wurde schon angenommen.',
    'invitation-not-pending': 'Diese Einladung wurde zurückgenommen.',
    'knock-ended': 'Das Klopfen ist vorbei.',
    'knock-not-found': 'Das Klopfen ist vorbei.',
  },
} satisfies typeof en
