import { type TrackInfo, TrackSource, TrackType } from '@livekit/protocol'
import type { Person } from '../messages.ts'
import { every } from '../timers.ts'
import type { MediaPacket, Publication } from '../tracks/publication.ts'
import { openAppendedFiles } from './appended-files.ts'
import { type EventKind, NOTES_FILE, type Note, type Speaker } from './notes.ts'
import { encodePacket } from './packet-file.ts'
import { chooseStage } from './stage.ts'

export interface RoomRecordingOptions {
  /** It is there, and empty. */
  folder: string
  /** Nothing can be written any more. */
  onFailed(error: unknown): void
}

/** One room while it is recorded: everybody's sound, and the pictures of whatever is shown to those who watch later. */
export interface RoomRecording {
  /** A participant who is inside already, or who waits no longer. */
  entered(person: Person): void
  left(person: Person): void
  published(publication: Publication, person: Person): void
  unpublished(publication: Publication): void
  /** Connections that speak, the loudest first. */
  heard(speakers: readonly string[]): void
  end(): Promise<void>
}

/** Where packets come from. */
interface Source {
  /** Of the connection. */
  sid: string
  speaker?: Speaker
}

interface Taken {
  publication: Publication
  person: Person
  stop(): void
}

const LOOK_EVERY_MS = 500
/** Whoever looks for a moment in the film waits no longer for a picture. */
const KEYFRAME_EVERY_MS = 10_000
const BEST_QUALITY = 2

export function openRoomRecording({ folder, onFailed }: RoomRecordingOptions): RoomRecording {
  const began = performance.now()
  const now = () => performance.now() - began
  const files = openAppendedFiles(folder, onFailed)
  const taken = new Map<Publication, Taken>()
  const inside = new Set<string>()
  const speaking = new Map<string, Person>()
  let speakers: readonly string[] = []
  let fileCount = 0
  /** What pictures are taken from, and what they are to be taken from next. */
  let shown: { publication: Publication; layer: string; file: string; keyframeAt: number } | undefined
  let wanted: Publication | undefined

  const note = (line: Note) => files.append(NOTES_FILE, Buffer.from(`${JSON.stringify(line)}\n`))
  const noteEvent = (kind: EventKind, { identity, name }: Person) =>
    note({ note: kind, at: now(), identity, name })
  const openFile = (kind: 'sound' | 'picture', { sid, speaker }: Source, { rtp }: MediaPacket) => {
    fileCount += 1
    const file = `${fileCount}.${kind}`
    const { ssrc: source, timestamp } = rtp.header
    note({
      note: 'file',
      at: now(),
      file,
      kind,
      person: sid,
      ...(speaker && { speaker }),
      source,
      rtp: timestamp,
    })
    return file
  }
  const write = (file: string, { rtp: { header, payload } }: MediaPacket) => {
    const { sequenceNumber: number, timestamp: rtp, marker } = header
    files.append(file, encodePacket({ at: now(), number, rtp, marker, payload }))
  }
  const takeSound = (from: Source) => {
    let current: { file: string; source: number } | undefined
    return (packet: MediaPacket) => {
      const { ssrc } = packet.rtp.header
      if (current?.source !== ssrc) current = { file: openFile('sound', from, packet), source: ssrc }
      write(current.file, packet)
    }
  }
  const takePicture = (publication: Publication, person: Person) => (packet: MediaPacket) => {
    const { layer, startsPicture } = packet
    if (startsPicture && isBetter(publication, layer)) {
      shown = { publication, layer, file: openFile('picture', person, packet), keyframeAt: now() }
      if (wanted === publication) wanted = undefined
    }
    if (shown?.publication === publication && shown.layer === layer) write(shown.file, packet)
  }
  /** Whether pictures are taken from here from now on. */
  const isBetter = (publication: Publication, layer: string) => {
    if (wanted === publication) return true
    if (shown?.publication !== publication || shown.layer === layer) return false
    return layer === publication.layerFor(BEST_QUALITY)
  }
  const choose = () => {
    const all = [...taken.values()].map(({ publication, person }) => ({ publication, person }))
    const next = chooseStage(all, { shown: shown?.publication, speakers })
    wanted = next === shown?.publication ? undefined : next
    for (const { publication } of all) publication.reconsider()
    ask()
  }
  const ask = () => {
    if (wanted) for (const layer of wanted.liveLayers()) wanted.askForKeyframe(layer)
    if (!shown) return
    const best = shown.publication.layerFor(BEST_QUALITY)
    if (best !== undefined && best !== shown.layer) shown.publication.askForKeyframe(best)
    if (now() - shown.keyframeAt < KEYFRAME_EVERY_MS) return
    shown.keyframeAt = now()
    shown.publication.askForKeyframe(shown.layer)
  }
  const looking = every(LOOK_EVERY_MS, choose, onFailed)

  return {
    entered(person) {
      if (inside.has(person.sid)) return
      inside.add(person.sid)
      noteEvent('entered', person)
    },
    left(person) {
      if (inside.delete(person.sid)) noteEvent('left', person)
    },
    published(publication, person) {
      const isSound = publication.info.type === TrackType.AUDIO
      const stop = publication.listen({
        take: isSound ? takeSound(sourceOf(publication, person)) : takePicture(publication, person),
        wanted: () =>
          isSound || publication === wanted || publication === shown?.publication ? BEST_QUALITY : undefined,
        takeClock({ source, sent, rtp }) {
          note({ note: 'clock', at: now(), person: person.sid, source, sent, rtp })
        },
      })
      taken.set(publication, { publication, person, stop })
      if (isScreen(publication.info)) noteEvent('shared', person)
      choose()
    },
    unpublished(publication) {
      taken.get(publication)?.stop()
      taken.delete(publication)
      if (shown?.publication === publication) shown = undefined
      choose()
    },
    heard(next) {
      speakers = next
      for (const [sid, person] of speaking)
        if (!next.includes(sid) && speaking.delete(sid)) noteEvent('hushed', person)
      for (const { person } of taken.values()) {
        if (!next.includes(person.sid) || speaking.has(person.sid)) continue
        speaking.set(person.sid, person)
        noteEvent('spoke', person)
      }
    },
    async end() {
      looking.stop()
      for (const { stop } of taken.values()) stop()
      taken.clear()
      note({ note: 'end', at: now() })
      await files.close()
    },
  }
}

function isScreen({ source }: TrackInfo): boolean {
  return source === TrackSource.SCREEN_SHARE
}

/** What is heard of a shared screen is said by others than the person who shares it. */
function sourceOf({ info }: Publication, { sid, identity, name }: Person): Source {
  return info.source === TrackSource.SCREEN_SHARE_AUDIO ? { sid } : { sid, speaker: { identity, name } }
}
