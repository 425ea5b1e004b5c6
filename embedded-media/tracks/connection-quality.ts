import { ConnectionQuality, ConnectionQualityInfo } from '@livekit/protocol'
import type { Arrivals } from './layers.ts'
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

/**
 * How well somebody is connected: by what is lost on the way to them, and from them since it was last asked. Of whom nothing
 * comes any more is lost, though their socket may still stand.
 */
export function connectionQuality(state: ConnectionState): ConnectionQualityInfo {
  const arrivals = state.published.map((publication) => publication.takeArrivals())
  const isLost = !state.isReached || arrivals.some(({ isStill }) => isStill)
  const quality = isLost
    ? ConnectionQuality.LOST
    : ofLoss(Math.max(state.receivingLoss, ...arrivals.map(lossOf)))
  return new ConnectionQualityInfo({ participantSid: state.sid, quality, score: SCORES[quality] ?? 0 })
}

function lossOf({ expected, received }: Arrivals): number {
  return expected === 0 ? 0 : Math.max(0, 1 - received / expected)
}

function ofLoss(loss: number): ConnectionQuality {
  if (loss >= POOR_FROM_LOSS) return ConnectionQuality.POOR
  return loss >= GOOD_FROM_LOSS ? ConnectionQuality.GOOD : ConnectionQuality.EXCELLENT
}
