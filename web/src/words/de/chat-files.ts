import type { en } from '../en/chat-files.ts'

export const de = {
  attach: 'Dateien anhängen',
  photo: 'Bild aufnehmen',
  files: 'Dateien dieser Nachricht',
  waiting: 'Kein Netz; es geht von selbst weiter',
  empty: 'Leere Dateien lassen sich nicht senden',
  leftOut: (count) =>
    `Eine Nachricht fasst zehn Dateien: ${count === 1 ? 'eine blieb' : `${count} blieben`} draußen`,
  progress: (name: string): string => `${name} wird hochgeladen`,
  again: (name: string): string => `${name} noch einmal hochladen`,
  remove: (name: string): string => `${name} entfernen`,
  keep: (name: string): string => `${name} herunterladen`,
  enlarge: (name: string): string => `${name} größer zeigen`,
  close: 'Schließen',
} satisfies typeof en
