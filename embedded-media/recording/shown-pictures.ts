import { TrackSource } from '@livekit/protocol'
import type { Person } from '../messages.ts'
import type { MediaPacket, Publication } from '../tracks/publication.ts'
import type { RecordingFiles, Source } from './recording-files.ts'

/** Someone who looks for a moment in the film waits no longer for a picture. */
const KEYFRAME_EVERY_MS = 10_000
export const BEST_QUALITY = 2

/** The pictures of a recording: of one publication at a time, or of all for a grid; each in the best layer that arrives. */
export interface ShownPictures {
  /** What pictures are shown of. */
  shown(): Publication | undefined
  /** What they are to be shown of next: from its first picture that needs none before it. */
  want(next: Publication | undefined): void
  /** Whether pictures are taken from here, or are about to be. */
  isOf(publication: Publication): boolean
  /** What is done with the packets of a publication. */
  take(publication: Publication, person: Person): (packet: MediaPacket) => void
  /** To be called now and then. */
  askForKeyframes(): void
  /** It is gone. */
  forget(publication: Publication): void
}

interface Kept {
  layer: string
  file: string
  keyframeAt: number
}

/** The pictures of a recording, for the functions below. */
interface Pictures {
  readonly files: RecordingFiles
  readonly isGrid: boolean
  readonly all: Set<Publication>
  /** Of those that are written. */
  readonly kept: Map<Publication, Kept>
  shown: Publication | undefined
  wanted: Publication | undefined
}

/** @param isGrid pictures of all publications are kept */
export function showPictures(files: RecordingFiles, isGrid: boolean): ShownPictures {
  const pictures: Pictures = {
    ...{ files, isGrid, all: new Set(), kept: new Map() },
    ...{ shown: undefined, wanted: undefined },
  }
  const { all } = pictures
  return {
    shown: () => pictures.shown,
    want(next) {
      pictures.wanted = next === pictures.shown ? undefined : next
    },
    isOf: (publication) => isGrid || publication === pictures.wanted || publication === pictures.shown,
    take(publication, person) {
      all.add(publication)
      const source = { sid: person.sid, ...(isGrid && { track: trackOf(publication) }) }
      return (packet) => take(pictures, publication, { source, packet })
    },
    askForKeyframes() {
      for (const publication of all) {
        if (!publication.info.muted) askFor(pictures, publication)
        else if (isGrid) darken(pictures, publication)
      }
    },
    forget(publication) {
      all.delete(publication)
      darken(pictures, publication)
      if (pictures.shown === publication) pictures.shown = undefined
    },
  }
}

function take(
  pictures: Pictures,
  publication: Publication,
  { source, packet }: { source: Source; packet: MediaPacket },
): void {
  const { files, kept } = pictures
  const { layer, startsPicture } = packet
  if (startsPicture && begins(pictures, publication, layer)) {
    if (pictures.wanted === publication) show(pictures, publication)
    const kind = pictures.shown === publication ? 'picture' : 'aside'
    kept.set(publication, { layer, file: files.openFile(kind, source, packet), keyframeAt: files.now() })
  }
  const current = kept.get(publication)
  if (current?.layer === layer) files.write(current.file, packet)
}

/** Whether a file begins with this picture: it is shown from now on, is the first that is kept, or of a better layer. */
function begins({ kept, wanted, isGrid }: Pictures, publication: Publication, layer: string): boolean {
  const current = kept.get(publication)
  if (wanted === publication || !current) return wanted === publication || isGrid
  return layer !== current.layer && layer === publication.layerFor(BEST_QUALITY)
}

function show(pictures: Pictures, publication: Publication): void {
  if (!pictures.isGrid) pictures.kept.clear()
  pictures.shown = publication
  pictures.wanted = undefined
}

function darken({ kept, files, isGrid }: Pictures, publication: Publication): void {
  if (kept.delete(publication) && isGrid) files.noteDark(publication.info.sid)
}

function askFor({ kept, files, wanted, isGrid }: Pictures, publication: Publication): void {
  const current = kept.get(publication)
  if (wanted === publication || (isGrid && !current))
    for (const layer of publication.liveLayers()) publication.askForKeyframe(layer)
  if (!current) return
  const best = publication.layerFor(BEST_QUALITY)
  if (best !== undefined && best !== current.layer) publication.askForKeyframe(best)
  if (files.now() - current.keyframeAt < KEYFRAME_EVERY_MS) return
  current.keyframeAt = files.now()
  publication.askForKeyframe(current.layer)
}

function trackOf({ info: { sid, source } }: Publication): NonNullable<Source['track']> {
  return { sid, isScreen: source === TrackSource.SCREEN_SHARE }
}
