import type { en } from '../en/call-bar.ts'

export const de = {
  title: 'Dein Gespräch',
  inside: (room) => `Du bist in ${room}`,
  recording: 'Dieser Raum wird aufgezeichnet.',
  reconnecting: 'Verbindung verloren. Sie kommt wieder …',
  back: 'Zurück',
  backToRoom: 'Zurück in den Raum',
  mute: 'Stumm schalten',
  unmute: 'Laut schalten',
  leave: 'Verlassen',
  ended: (room) => `Du bist nicht mehr in ${room}`,
} satisfies typeof en
