import type { FaultSettings, Faults } from './faults.ts'
import type { LiveRooms } from './live-rooms.ts'
import { recordOf, textOf } from './messages.ts'
import type { Recorder } from './recorder.ts'
import { type Participant, type Room, type Rooms, roomMessage } from './rooms.ts'
import type { WebhookCounts } from './webhook-sender.ts'

export interface ViewNeeds {
  rooms: Rooms
  recorder: Recorder
  faults: Faults
  counts(): WebhookCounts
  /** Where real clients come in. */
  live?: Pick<LiveRooms, 'pid'> | undefined
}

/** What the stand-in holds. */
export interface MediaView {
  rooms: (ReturnType<typeof roomView> & { participants: ReturnType<typeof participantView>[] })[]
  recordings: { egressId: string; room: string; status: string; file: string }[]
  webhooks: WebhookCounts
  faults: FaultSettings
  /** The process that carries the media of real clients, while there is one. */
  mediaProcess?: number
}

export function viewOf({ rooms, recorder, counts, faults, live }: ViewNeeds): MediaView {
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
    webhooks: counts(),
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
