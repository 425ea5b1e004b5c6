import {
  ConnectionQuality,
  ConnectionState,
  type Participant,
  type Room,
  Track,
  type VideoTrack,
} from 'livekit-client'
import type { CallState, PersonInCall } from '../call-state.ts'
import { captionsOf } from '../captions/follow-captions.ts'

/** What a connection shows at the moment. */
export function stateOf(room: Room, before: CallState): CallState {
  const inside = [...room.remoteParticipants.values()]
  inside.sort((one, other) => (one.joinedAt?.getTime() ?? 0) - (other.joinedAt?.getTime() ?? 0))
  const others = inside.filter((one) => !one.isAgent && one.permissions?.canPublish !== false)
  const loudest = room.activeSpeakers.find((one) => !one.isLocal && !one.isAgent)?.identity
  const speaker = loudest ?? before.speaker
  return {
    ...before,
    phase: room.state === ConnectionState.Connected ? 'inside' : phaseWithout(room, before),
    people: [room.localParticipant, ...others].map(personOf),
    // one that only listens may not publish either, and is shown for all that
    bots: inside.filter((one) => one.isAgent).map(personOf),
    mayPublish: room.localParticipant.permissions?.canPublish !== false,
    speaker: others.some(({ identity }) => identity === speaker) ? speaker : undefined,
    recording: room.isRecording,
    captions: captionsOf(room.localParticipant),
    captionsMade: [room.localParticipant, ...inside].some((one) => captionsOf(one) === 'on'),
    soundBlocked: !room.canPlaybackAudio,
  }
}

function phaseWithout(room: Room, before: CallState): CallState['phase'] {
  const isBack =
    room.state === ConnectionState.Reconnecting || room.state === ConnectionState.SignalReconnecting
  return isBack ? 'reconnecting' : before.phase
}

function personOf(participant: Participant): PersonInCall {
  return {
    identity: participant.identity,
    sid: participant.sid,
    name: participant.name || participant.attributes[AGENT_NAME] || participant.identity,
    isOwn: participant.isLocal,
    isGuest: participant.identity.startsWith('guest:'),
    isBot: participant.isAgent,
    botId: botIdOf(participant),
    microphone: participant.isMicrophoneEnabled,
    speaking: participant.isSpeaking && participant.isMicrophoneEnabled,
    spokeAt: participant.lastSpokeAt?.getTime() ?? 0,
    connection: QUALITIES[participant.connectionQuality],
    camera: pictureOf(participant, Track.Source.Camera),
    screen: pictureOf(participant, Track.Source.ScreenShare),
  }
}

/** Under which name a worker of livekit-agents has registered. */
const AGENT_NAME = 'lk.agent_name'

/** Of its own token. Workers choose their identity by themselves: the office says in an attribute which bot they are. */
function botIdOf({ isAgent, identity, attributes }: Participant): string | undefined {
  if (!isAgent) return undefined
  return /^\d+(?=#|$)/.exec(identity)?.[0] ?? attributes.bot
}

const QUALITIES: Record<ConnectionQuality, PersonInCall['connection']> = {
  [ConnectionQuality.Excellent]: 'excellent',
  [ConnectionQuality.Good]: 'good',
  [ConnectionQuality.Poor]: 'poor',
  [ConnectionQuality.Lost]: 'lost',
  [ConnectionQuality.Unknown]: 'unknown',
}

function pictureOf(participant: Participant, source: Track.Source): VideoTrack | undefined {
  // one that was taken back may be told of for some time beside the next
  const shown = participant
    .getTrackPublications()
    .find((publication) => publication.source === source && !publication.isMuted && publication.videoTrack)
  return shown?.videoTrack
}
