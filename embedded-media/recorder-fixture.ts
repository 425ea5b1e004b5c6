import { MediaFault, type Message, newSid, textOf } from './api/api-messages.ts'
import { NO_RECORDER, type Recorder } from './rooms/recorder.ts'
import type { Rooms } from './rooms/rooms.ts'

/** A recorder that keeps nothing: rooms are recorded from its start to its stop. */
export function forgetfulRecorder({ rooms }: { rooms: Rooms }): Recorder {
  const started = new Map<string, Message>()
  return {
    ...NO_RECORDER,
    start(body) {
      const room = rooms.require(textOf(body, 'roomName'))
      const info = { egressId: newSid('EG'), roomName: room.name }
      started.set(info.egressId, info)
      rooms.describe(room, { isRecording: true })
      return info
    },
    stop(egressId) {
      const info = started.get(egressId)
      if (!info) throw new MediaFault('not_found', 'egress does not exist')
      rooms.describe(rooms.require(String(info.roomName)), { isRecording: false })
      return info
    },
    list: ({ egressId }) => [...started.values()].filter((info) => info.egressId === egressId),
  }
}
