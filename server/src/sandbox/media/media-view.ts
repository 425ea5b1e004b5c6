import { recordOf, textOf } from '@atrium/embedded-media/api/api-messages.ts'
import { type Participant, type Room, roomMessage } from '@atrium/embedded-media/rooms/rooms.ts'
import type { WebhookCounts } from '@atrium/embedded-media/rooms/webhook-sender.ts'
import type { EmbeddedMedia } from '@atrium/embedded-media/start-embedded-media.ts'
import type { Faults, SandboxFaults } from './faults.ts'

export interface ViewNeeds {
  media: EmbeddedMedia
  faults: Faults
}

/** What the stand-in holds. */
export interface MediaView {
  rooms: (ReturnType<typeof roomView> & { participants: ReturnType<typeof participantView>[] })[]
  recordings: { egressId: string; room: string; status: string; file: string }[]
  webhooks: WebhookCounts
  faults: SandboxFaults
  /** The process that carries the media of real clients, while there is one. */
  mediaProcess?: number
}

export function viewOf({ media, faults }: ViewNeeds): MediaView {
  const { rooms, recorder, live } = media
  const mediaProcess = live?.pid()
  return {
    rooms: rooms.list().map((room) => ({
      ...roomView(room),
      participants: [...room.participants.values()].map(participantView),
    })),
    recordings: recorder.list({ roomName: '', egressId: '', isActive: false }).map((egress) => ({
      egressId: String(egress.egressId),
      room: String(egress.roomName),
      status: String(egress.status),
      file: textOf(recordOf(([] as unknown[]).concat(egress.fileResults)[0]), 'filename'),
    })),
    webhooks: media.webhookCounts(),
    faults: faults.current,
    ...(mediaProcess === undefined ? {} : { mediaProcess }),
  }
}

function roomView(room: Room) {
  const { sid, name, numParticipants, activeRecording } = roomMessage(room)
  return {
    sid: String(sid),
    name: String(name),
    metadata: room.metadata,
    numParticipants: Number(numParticipants),
    activeRecording: activeRecording === true,
  }
}

export function participantView(participant: Participant) {
  const { sid, identity, name, kind, permission, tracks } = participant
  return {
    sid,
    identity,
    name,
    kind,
    permission: { ...permission },
    tracks: [...tracks.values()].map((track) => ({ ...track, source: track.source.toLowerCase() })),
  }
}
