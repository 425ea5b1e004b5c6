import type { Person } from '../messages.ts'
import type { MediaPacket } from '../tracks/publication.ts'
import { openAppendedFiles } from './appended-files.ts'
import { type EventKind, type FileKind, type FileNote, NOTES_FILE, type Note, type Speaker } from './notes.ts'
import { encodePacket } from './packet-file.ts'

/** Where packets come from. */
export interface Source {
  /** Of the connection. */
  sid: string
  speaker?: Speaker
  track?: FileNote['track']
}

/** The files of one recording: packets, and notes of what they are; moments are milliseconds since it began. */
export interface RecordingFiles {
  now(): number
  noteEvent(kind: EventKind, person: Person): void
  noteClock(clock: { person: string; source: number; sent: number; rtp: number }): void
  /** Of the track nothing is shown any more. */
  noteDark(track: string): void
  /** Begins a file with this packet, which is yet to be written. @returns its name */
  openFile(kind: FileKind, source: Source, packet: MediaPacket): string
  write(file: string, packet: MediaPacket): void
  /** Notes the end, and closes. */
  end(): Promise<void>
}

export function openRecordingFiles(folder: string, onFailed: (error: unknown) => void): RecordingFiles {
  const began = performance.now()
  const now = () => performance.now() - began
  const files = openAppendedFiles(folder, onFailed)
  let fileCount = 0
  const note = (line: Note) => files.append(NOTES_FILE, Buffer.from(`${JSON.stringify(line)}\n`))
  return {
    now,
    noteEvent: (kind, { identity, name }) => note({ note: kind, at: now(), identity, name }),
    noteClock: (clock) => note({ note: 'clock', at: now(), ...clock }),
    noteDark: (track) => note({ note: 'dark', at: now(), track }),
    openFile(kind, { sid, speaker, track }, { rtp }) {
      fileCount += 1
      const file = `${fileCount}.${kind}`
      const { ssrc: source, timestamp } = rtp.header
      note({
        ...{ note: 'file', at: now(), file, kind, person: sid },
        ...(speaker && { speaker }),
        ...(track && { track }),
        ...{ source, rtp: timestamp },
      })
      return file
    },
    write(file, { rtp: { header, payload } }) {
      const { sequenceNumber: number, timestamp: rtp, marker } = header
      files.append(file, encodePacket({ at: now(), number, rtp, marker, payload }))
    },
    async end() {
      note({ note: 'end', at: now() })
      await files.close()
    },
  }
}
