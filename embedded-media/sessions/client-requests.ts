import {
  SignalTarget,
  type TrickleRequest,
  type UpdateParticipantMetadata,
  type UpdateTrackSettings,
} from '@livekit/protocol'
import { usableCandidate } from '../incoming-limits.ts'
import type { SignalMessage } from '../signal.ts'
import type { Subscriber } from '../subscriber.ts'
import type { OwnTracks } from '../tracks/own-tracks.ts'
import type { Connections } from './connections.ts'
import { type ChosenTracks, chosenIn } from './subscriptions.ts'

/** What the requests of one client reach. */
export interface ClientReach {
  /** Undefined where nothing may be published any more. */
  publisher(): ReturnType<Connections['publisher']>
  subscriber: Pick<Subscriber, 'takeAnswer' | 'takeCandidate' | 'choose'>
  tracks: Pick<OwnTracks, 'announce'>
  mute(trackSid: string, muted: boolean): void
  choose(chosen: ChosenTracks): void
  describe(wanted: UpdateParticipantMetadata): void
  leave(): void
}

/** The best of three layers. */
const QUALITY_MAX = 2

/** Does what a client asks by signals; what the server has no use for is left alone. */
export function serveRequest(reach: ClientReach, message: SignalMessage): void {
  const { subscriber, tracks } = reach
  switch (message.case) {
    case 'offer':
      reach.publisher()?.takeOffer(message.value)
      break
    case 'answer':
      subscriber.takeAnswer(message.value)
      break
    case 'trickle':
      takeCandidate(reach, message.value)
      break
    case 'addTrack':
      tracks.announce(message.value)
      break
    case 'mute':
      reach.mute(message.value.sid, message.value.muted)
      break
    case 'subscription':
      reach.choose(chosenIn(message.value))
      break
    case 'trackSetting':
      chooseLayers(reach, message.value)
      break
    case 'updateMetadata':
      reach.describe(message.value)
      break
    case 'leave':
      reach.leave()
  }
}

function chooseLayers(
  { subscriber }: ClientReach,
  { trackSids, disabled, quality }: UpdateTrackSettings,
): void {
  const layer = Math.max(0, Math.min(quality, QUALITY_MAX))
  for (const sid of trackSids) subscriber.choose(sid, layer, disabled)
}

function takeCandidate(
  { publisher, subscriber }: ClientReach,
  { candidateInit, target }: TrickleRequest,
): void {
  const candidate = usableCandidate(candidateInit)
  const peer = target === SignalTarget.PUBLISHER ? publisher() : subscriber
  if (candidate) peer?.takeCandidate(candidate)
}
