import { ConnectionQuality, ConnectionQualityInfo } from '@livekit/protocol'
import type { Publication } from './publication.ts'

export interface ConnectionState {
  sid: string
  /** Signals flow. */
  isReached: boolean
  /** Of what they receive, 0 to 1. */
  receivingLoss: number
  published: readonly Publication[]
}

/** From here on people notice. */
const GOOD_FROM_LOSS = 0.02
const POOR_FROM_LOSS = 0.1
const SCORES: Partial<Record<ConnectionQuality, number>> = {
  [ConnectionQuality.EXCELLENT]: 4.5,
  [ConnectionQuality.GOOD]: 3.5,
  [ConnectionQuality.POOR]: 2,
}

/** How well somebody is connected: by what is lost on the way to them, and from them since it was last asked. */
export function connectionQuality(state: ConnectionState): ConnectionQualityInfo {
  const quality = state.isReached
    ? ofLoss(Math.max(state.receivingLoss, ...state.published.map(lossOf)))
    : ConnectionQuality.LOST
  return new ConnectionQualityInfo({ participantSid: state.sid, quality, score: SCORES[quality] ?? 0 })
}

function lossOf(publication: Publication): number {
  const { expected, received } = publication.takeArrivals()
  return expected === 0 ? 0 : Math.max(0, 1 - received / expected)
}

function ofLoss(loss: number): ConnectionQuality {
  if (loss >= POOR_FROM_LOSS) return ConnectionQuality.POOR
  return loss >= GOOD_FROM_LOSS ? ConnectionQuality.GOOD : ConnectionQuality.EXCELLENT
}
