import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A line of what is noted while a room is recorded; `at` in milliseconds since the recording began. */
export type Note =
  /** A file of packets begins: `rtp` is the time of its first packet, by the clock of its source. */
  | {
      note: 'file'
      at: number
      file: string
      /** `picture`: what is shown from here on in a film of one picture at a time; `aside`: of others, for a grid. */
      kind: FileKind
      person: string
      /** Of a microphone; earlier releases did not note it. */
      speaker?: Speaker
      source: number
      rtp: number
      /** Of pictures for a grid: all files of one track belong together. */
      track?: { sid: string; isScreen: boolean }
    }
  /** What a sender says of its clocks: `sent` is its own time in milliseconds, `rtp` the same moment by its source. */
  | { note: 'clock'; at: number; person: string; source: number; sent: number; rtp: number }
  /** Nothing of a track is to be seen any more, until the next of its files. */
  | { note: 'dark'; at: number; track: string }
  | { note: EventKind; at: number; identity: string; name: string }
  | { note: 'end'; at: number }

export type FileKind = 'sound' | 'picture' | 'aside'

/** A person who is heard. */
export interface Speaker {
  identity: string
  name: string
}

/** What people did; `hushed`: they speak no longer. */
export type EventKind = 'entered' | 'left' | 'shared' | 'spoke' | 'hushed'

export type FileNote = Extract<Note, { note: 'file' }>
export type EventNote = Extract<Note, { note: EventKind }>
export type ClockNote = Extract<Note, { note: 'clock' }>

const EVENT_KINDS: readonly string[] = ['entered', 'left', 'shared', 'spoke', 'hushed'] satisfies EventKind[]

export function isEvent(note: Note): note is EventNote {
  return EVENT_KINDS.includes(note.note)
}

export const NOTES_FILE = 'notes.jsonl'

/** None where there is no file. */
export async function readNotes(folder: string): Promise<Note[]> {
  return notesOf(await readFile(join(folder, NOTES_FILE), 'utf8').catch(() => ''))
}

/** The notes of a file; its last line may have been cut off. */
export function notesOf(text: string): Note[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Note]
    } catch {
      return []
    }
  })
}
