import type { en } from '../en/floor.ts'

export const de = {
  title: 'Büro',
  search: 'Personen und Räume suchen',
  rooms: 'Räume',
  addRoom: 'Raum hinzufügen',
  roomName: 'Name',
  roomNamePlaceholder: 'Küche',
  add: 'Hinzufügen',
  cancel: 'Abbrechen',
  loading: 'Das Büro wird gelesen',
  failed: 'Das Büro konnte nicht gelesen werden.',
  noRooms: 'Es gibt noch keine Räume',
  noRoomsAbout: 'Ein Raum ist ein Ort, an dem man sich mit Ton und Bild trifft.',
  noMatch: (text) => `Nichts heißt „${text}“`,
  nobodyInside: 'Niemand drin',
  inside: 'Drin',
  insideCount: (count) => (count === 1 ? '1 Person' : `${count} Personen`),
  guests: (count) => (count === 1 ? '1 Gast' : `${count} Gäste`),
  recording: 'Wird aufgezeichnet',
  enter: 'Betreten',
  youAreHere: 'Du bist hier',
  microphone: 'Mikrofon an',
  camera: 'Kamera an',
  screen: 'teilt einen Bildschirm',
  colleagues: 'Kolleginnen und Kollegen',
  around: 'Da',
  offline: 'Offline',
  alone: 'Außer dir ist noch niemand hier',
  aloneAbout: 'Wer eingeladen ist, erscheint hier nach dem ersten Anmelden.',
  invite: 'Einladen',
  you: 'Du',
  knock: 'Klopfen',
  write: 'Schreiben',
  knockAt: (name) => `Bei ${name} klopfen`,
  writeTo: (name) => `${name} schreiben`,
  summary(around, inRooms) {
    if (around === 0) return 'Sonst ist niemand da'
    const people = around === 1 ? '1 Person da' : `${around} Personen da`
    if (inRooms === 0) return people
    if (around === 1) return `${people}, in einem Raum`
    return inRooms === 1 ? `${people}, 1 davon in einem Raum` : `${people}, ${inRooms} davon in Räumen`
  },
} satisfies typeof en
