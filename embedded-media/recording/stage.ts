import { TrackSource, TrackType } from '@livekit/protocol'
import type { Publication } from '../tracks/publication.ts'

interface Shown {
  publication: Publication
  person: { sid: string }
}

interface Stage {
  /** What is shown at the moment. */
  shown: Publication | undefined
  /** Connections that speak, the loudest first. */
  speakers: readonly string[]
}

/**
 * What those who watch later see: the screen that is shared, the latest of several; otherwise whoever speaks, and while
 * nobody does, whoever was shown before.
 */
export function chooseStage(all: readonly Shown[], { shown, speakers }: Stage): Publication | undefined {
  const pictures = all.filter(({ publication: { info } }) => info.type === TrackType.VIDEO && !info.muted)
  const screens = pictures.filter(({ publication }) => publication.info.source === TrackSource.SCREEN_SHARE)
  const screen = screens.at(-1)
  if (screen) return screen.publication
  const isShown = pictures.some(({ publication }) => publication === shown)
  const speaker = speakers
    .map((sid) => pictures.find(({ person }) => person.sid === sid))
    .find((one) => one !== undefined)
  if (speaker) return speaker.publication
  return isShown ? shown : pictures[0]?.publication
}
