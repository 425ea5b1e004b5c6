import type { Person } from '../messages.ts'
import type { MediaPacket, Publication } from '../tracks/publication.ts'
import type { RecordingFiles } from './recording-files.ts'

/** Someone who looks for a moment in the film waits no longer for a picture. */
const KEYFRAME_EVERY_MS = 10_000
export const BEST_QUALITY = 2

/** The pictures of a recording: of one publication at a time, in the best layer that arrives. */
export interface ShownPictures {
  /** What pictures are taken from. */
  shown(): Publication | undefined
  /** What they are to be taken from next: from its first picture that needs none before it. */
  want(next: Publication | undefined): void
  /** Whether pictures are taken from here, or are about to be. */
  isOf(publication: Publication): boolean
  /** What is done with the packets of a publication. */
  take(publication: Publication, person: Person): (packet: MediaPacket) => void
  askForKeyframes(): void
  /** It is gone. */
  forget(publication: Publication): void
}

interface Shown {
  publication: Publication
  layer: string
  file: string
  keyframeAt: number
}

export function showPictures({ now, openFile, write }: RecordingFiles): ShownPictures {
  let shown: Shown | undefined
  let wanted: Publication | undefined
  return {
    shown: () => shown?.publication,
    want(next) {
      wanted = next === shown?.publication ? undefined : next
    },
    isOf: (publication) => publication === wanted || publication === shown?.publication,
    take: (publication, person) => (packet) => {
      const { layer, startsPicture } = packet
      if (startsPicture && (wanted === publication || isBetter(shown, publication, layer))) {
        shown = { publication, layer, file: openFile('picture', person, packet), keyframeAt: now() }
        if (wanted === publication) wanted = undefined
      }
      if (shown?.publication === publication && shown.layer === layer) write(shown.file, packet)
    },
    askForKeyframes() {
      if (wanted) for (const layer of wanted.liveLayers()) wanted.askForKeyframe(layer)
      if (shown) askShown(shown, now())
    },
    forget(publication) {
      if (shown?.publication === publication) shown = undefined
    },
  }
}

function isBetter(shown: Shown | undefined, publication: Publication, layer: string): boolean {
  if (shown?.publication !== publication || shown.layer === layer) return false
  return layer === publication.layerFor(BEST_QUALITY)
}

function askShown(shown: Shown, now: number): void {
  const best = shown.publication.layerFor(BEST_QUALITY)
  if (best !== undefined && best !== shown.layer) shown.publication.askForKeyframe(best)
  if (now - shown.keyframeAt < KEYFRAME_EVERY_MS) return
  shown.keyframeAt = now
  shown.publication.askForKeyframe(shown.layer)
}
