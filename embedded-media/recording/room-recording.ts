import { type TrackInfo, TrackSource, TrackType } from '@livekit/protocol'
import type { Person } from '../messages.ts'
import { every } from '../timers.ts'
import type { MediaPacket, Publication } from '../tracks/publication.ts'
import { openRecordingFiles, type RecordingFiles, type Source } from './recording-files.ts'
import { BEST_QUALITY, type ShownPictures, showPictures } from './shown-pictures.ts'
import { chooseStage } from './stage.ts'

export interface RoomRecordingOptions {
  /** It is there, and empty. */
  folder: string
  /** Pictures of everybody are kept, for a grid. */
  isGrid: boolean
  /** Nothing can be written any more. */
  onFailed(error: unknown): void
}

/** One room while it is recorded: everybody's sound, and the pictures of what is shown to those who watch later. */
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

interface Taken {
  publication: Publication
  person: Person
  stop(): void
}

const LOOK_EVERY_MS = 500

/** A recording, for the functions below. */
interface Recorded {
  readonly written: RecordingFiles
  readonly pictures: ShownPictures
  readonly taken: Map<Publication, Taken>
  /** Connections of participants. */
  readonly inside: Set<string>
  readonly speaking: Map<string, Person>
  speakers: readonly string[]
}

export function openRoomRecording({ folder, isGrid, onFailed }: RoomRecordingOptions): RoomRecording {
  const written = openRecordingFiles(folder, onFailed)
  const recorded: Recorded = {
    ...{ written, pictures: showPictures(written, isGrid), taken: new Map() },
    ...{ inside: new Set(), speaking: new Map(), speakers: [] },
  }
  const { taken, inside } = recorded
  const looking = every(LOOK_EVERY_MS, () => choose(recorded), onFailed)

  return {
    entered(person) {
      if (inside.has(person.sid)) return
      inside.add(person.sid)
      written.noteEvent('entered', person)
    },
    left(person) {
      if (inside.delete(person.sid)) written.noteEvent('left', person)
    },
    published(publication, person) {
      take(recorded, publication, person)
      if (isScreen(publication.info)) written.noteEvent('shared', person)
      choose(recorded)
    },
    unpublished(publication) {
      taken.get(publication)?.stop()
      taken.delete(publication)
      recorded.pictures.forget(publication)
      choose(recorded)
    },
    heard: (next) => hear(recorded, next),
    async end() {
      looking.stop()
      for (const { stop } of taken.values()) stop()
      taken.clear()
      await written.end()
    },
  }
}

function take({ written, pictures, taken }: Recorded, publication: Publication, person: Person): void {
  const isSound = publication.info.type === TrackType.AUDIO
  const stop = publication.listen({
    take: isSound ? takeSound(written, sourceOf(publication, person)) : pictures.take(publication, person),
    wanted: () => (isSound || pictures.isOf(publication) ? BEST_QUALITY : undefined),
    takeClock: ({ source, sent, rtp }) => written.noteClock({ person: person.sid, source, sent, rtp }),
  })
  taken.set(publication, { publication, person, stop })
}

/** A file for each source of a track: a device that is changed begins its numbers anew. */
function takeSound(written: RecordingFiles, from: Source): (packet: MediaPacket) => void {
  let current: { file: string; source: number } | undefined
  return (packet) => {
    const { ssrc } = packet.rtp.header
    if (current?.source !== ssrc) current = { file: written.openFile('sound', from, packet), source: ssrc }
    written.write(current.file, packet)
  }
}

function choose({ pictures, taken, speakers }: Recorded): void {
  const all = [...taken.values()].map(({ publication, person }) => ({ publication, person }))
  pictures.want(chooseStage(all, { shown: pictures.shown(), speakers }))
  for (const { publication } of all) publication.reconsider()
  pictures.askForKeyframes()
}

function hear(recorded: Recorded, next: readonly string[]): void {
  const { written, taken, speaking } = recorded
  recorded.speakers = next
  for (const [sid, person] of speaking)
    if (!next.includes(sid) && speaking.delete(sid)) written.noteEvent('hushed', person)
  for (const { person } of taken.values()) {
    if (!next.includes(person.sid) || speaking.has(person.sid)) continue
    speaking.set(person.sid, person)
    written.noteEvent('spoke', person)
  }
}

function isScreen({ source }: TrackInfo): boolean {
  return source === TrackSource.SCREEN_SHARE
}

/** What is heard of a shared screen is said by others than the person who shares it. */
function sourceOf({ info }: Publication, { sid, identity, name }: Person): Source {
  return info.source === TrackSource.SCREEN_SHARE_AUDIO ? { sid } : { sid, speaker: { identity, name } }
}
