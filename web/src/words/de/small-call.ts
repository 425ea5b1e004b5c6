import type { en } from '../en/small-call.ts'

export const de = {
  title: 'Dein Gespräch',
  inside: (room) => `Du bist in ${room}`,
  here: (count) => `${count} da`,
  recording: 'Dieser Raum wird aufgezeichnet.',
  recordedShort: 'Aufn.',
  reconnecting: 'Verbindung verloren. Sie kommt wieder …',
  youShare: 'Du teilst deinen Bildschirm.',
  backToRoom: 'Zurück in den Raum',
  mute: 'Stumm schalten',
  unmute: 'Laut schalten',
  leave: 'Verlassen',
  more: 'Mehr zu deinem Gespräch',
  smallPicture: 'Bild im Bild',
  corners: {
    'top-left': 'Nach oben links',
    'top-right': 'Nach oben rechts',
    'bottom-left': 'Nach unten links',
    'bottom-right': 'Nach unten rechts',
  },
  botsCame: (names, count) =>
    `${names} ${count === 1 ? 'ist ein Bot und jetzt in deinem Gespräch' : 'sind Bots und jetzt in deinem Gespräch'}`,
  botsAbout: 'Bots können mithören und mitsehen. Dein Mikrofon bleibt zu, bis du weitermachst.',
  goOn: 'Weiter',
  ended: (room) => `Du bist nicht mehr in ${room}`,
} satisfies typeof en
