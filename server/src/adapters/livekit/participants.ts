import type { ParticipantInfo, Room, TrackInfo } from 'livekit-server-sdk'
import type {
  AgentRights,
  MediaParticipant,
  MediaRoom,
  MediaTrack,
  ParticipantKind,
  TrackSource,
  TrackType,
} from '../../ports/media.ts'

/** By LiveKit's numbers; what is newer than these is unknown. */
const SOURCES: readonly TrackSource[] = [
  'unknown',
  'camera',
  'microphone',
  'screen_share',
  'screen_share_audio',
]
const TYPES: readonly TrackType[] = ['audio', 'video', 'data']
/** LiveKit's numbers of kinds; the others are streams that are brought in, telephones, and what comes later. */
const KINDS: Partial<Record<number, ParticipantKind>> = { 0: 'person', 2: 'recorder', 4: 'agent' }
const ACTIVE = 2

export function roomOf(room: Room): MediaRoom {
  return { sid: room.sid, name: room.name, startedAt: timeOf(room.creationTimeMs, room.creationTime) }
}

export function participantOf(info: ParticipantInfo): MediaParticipant {
  return {
    sid: info.sid,
    identity: info.identity,
    name: info.name,
    kind: kindOf(info.kind),
    active: info.state === ACTIVE,
    mayPublish: info.permission?.canPublish ?? false,
    ...agentRightsOf(kindOf(info.kind), info.permission),
    ...attributesOf(info),
    joinedAt: timeOf(info.joinedAtMs, info.joinedAt),
    tracks: info.tracks.map(trackOf),
  }
}

/** Set by the media server on those that come by a job. */
const AGENT_NAME = 'lk.agent_name'

/** What the attributes of a participant say: the session that their token was made from, or their worker. */
export function attributesOf({
  attributes,
}: {
  attributes?: { session?: string; [AGENT_NAME]?: string } | null
}): { session?: string; worker?: string } {
  const { session, [AGENT_NAME]: worker } = attributes ?? {}
  return { ...(session && { session }), ...(worker && { worker }) }
}

/** Only of agents. What is left out is not allowed. */
export function agentRightsOf(
  kind: ParticipantKind,
  permission: { canSubscribe?: boolean; canPublish?: boolean } | null | undefined,
): { agent?: AgentRights } {
  if (kind !== 'agent') return {}
  return { agent: { listens: permission?.canSubscribe ?? false, speaks: permission?.canPublish ?? false } }
}

export function trackOf(track: TrackInfo): MediaTrack {
  return {
    sid: track.sid,
    source: SOURCES[track.source] ?? 'unknown',
    muted: track.muted,
    type: TYPES[track.type] ?? 'data',
  }
}

export function kindOf(kind: number): ParticipantKind {
  return KINDS[kind] ?? 'other'
}

/** Milliseconds where LiveKit gives them, otherwise whole seconds. */
function timeOf(milliseconds: bigint, seconds: bigint): Date {
  return new Date(milliseconds > 0n ? Number(milliseconds) : Number(seconds) * 1_000)
}
