import type { en } from '../en/programs.ts'

export const de = {
  bots: {
    title: 'Bots',
    about:
      'Ein Bot ist ein Mitglied, das alle als das sehen, was es ist. Er liest und schreibt, wo er Mitglied ist, und kann in Räume kommen.',
    add: 'Neuer Bot',
    none: 'Hier ist kein Programm Mitglied.',
    made: 'Der Bot ist Mitglied',
    since: (time) => `seit ${time}`,
    delete: (name) => `${name} löschen`,
    deleteAbout:
      'Sein Token und seine Verbindungen enden. Was er geschrieben hat, bleibt unter seinem Namen.',
  },
  mayDo: 'Er darf',
  chapters: { people: 'Personen', rooms: 'Räume', recordings: 'Aufzeichnungen', trail: 'Protokoll' },
  operations: {
    listMembers: 'Personen auflisten',
    getMember: 'eine Person nachschlagen',
    getPresenceSnapshot: 'sehen, wer da ist',
    listInvitation: 'Einladungen auflisten',
    revokeInvitation: 'Einladungen zurückziehen',
    createRoom: 'Räume hinzufügen',
    listRecordings: 'Aufzeichnungen auflisten',
    downloadRecording: 'Aufzeichnungen herunterladen',
    stopRecording: 'Aufzeichnungen beenden',
    deleteRecording: 'Aufzeichnungen löschen',
    listAuditLog: 'das Protokoll lesen',
    checkpointAuditLog: 'das Ende des Protokolls signieren',
  },
  expires: 'Gilt',
  lasts: { 30: '30 Tage', 90: '90 Tage', 365: 'ein Jahr', ever: 'bis ihn jemand zurückzieht' },
  until: (time) => `bis ${time}`,
  forEver: 'ohne Ende',
  actionsFor: (url) => `Mehr zu ${url}`,
  deliveries: 'Zustellungen',
  deliveriesOf: (url) => `Zustellungen an ${url}`,
  noDeliveries: 'In den letzten 30 Tagen wurde nichts gesendet.',
  attempts: (count) => (count === 1 ? 'ein Versuch' : `${count} Versuche`),
  answered: (status) => `Antwort ${status}`,
  noAnswer: 'keine Antwort',
  deliveryStates: { pending: 'unterwegs', delivered: 'zugestellt', failed: 'fehlgeschlagen' },
  held: 'wartet, bis der Empfänger zustimmt',
  sendAgain: 'Noch einmal senden',
  sendFailedAgain: 'Alles Fehlgeschlagene noch einmal senden',
  sentAgain: (count) =>
    count === 0
      ? 'Es war nichts fehlgeschlagen.'
      : count === 1
        ? 'Eines wird noch einmal gesendet.'
        : `${count} werden noch einmal gesendet.`,
  rotate: 'Neues Geheimnis',
  rotateTitle: 'Ein neues Geheimnis machen?',
  rotateAbout:
    'Einen Tag lang wird alles mit beiden signiert, damit der Empfänger umsteigen kann. Danach ist das frühere wertlos.',
  more: 'Frühere zeigen',
} satisfies typeof en
