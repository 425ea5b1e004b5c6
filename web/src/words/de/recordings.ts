import type { en } from '../en/recordings.ts'

export const de = {
  ofRoom: 'Aufzeichnungen dieses Raums',
  noneInRoom: 'Hier wurde noch nichts aufgezeichnet.',
  loading: 'Die Aufzeichnungen werden gelesen',
  failed: 'Die Aufzeichnungen konnten nicht gelesen werden.',
  recording: 'Aufzeichnung',
  recordingStates: {
    starting: 'beginnt',
    active: 'läuft',
    stopping: 'endet',
    completed: 'fertig',
    failed: 'fehlgeschlagen',
    aborted: 'abgebrochen',
  },
  storedElsewhere: 'liegt im Speicher des Aufzeichners: frag, wer ihn betreibt',
  legalHold: 'Löschsperre',
  download: 'Herunterladen',
  deleteTitle: (name) => `Die Aufzeichnung ${name} löschen?`,
  deleteAbout: 'Film und Mitschrift sind für alle weg. Das lässt sich nicht zurücknehmen.',
  deleteIt: 'Löschen',
  legalHoldOf: (name) => `von ${name}`,
  deleteRecording: (name) => `Aufzeichnung ${name} löschen`,
} satisfies typeof en
