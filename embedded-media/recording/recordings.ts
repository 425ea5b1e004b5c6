import type { Order, Report } from '../messages.ts'
import type { MediaRoom } from '../room.ts'
import { openRoomRecording, type RoomRecording } from './room-recording.ts'

/** The recordings of this process. A room may empty and fill again while it is recorded. */
export interface Recordings {
  start(order: Extract<Order, { order: 'record' }>, room: MediaRoom | undefined): void
  /** A room has opened: what records it takes it up. */
  attach(roomSid: string, room: MediaRoom): void
  end(id: string): void
}

export function openRecordings(report: (report: Report) => void): Recordings {
  const running = new Map<string, { roomSid: string; recording: RoomRecording; detach: () => void }>()
  const end = (id: string) => {
    const found = running.get(id)
    running.delete(id)
    found?.detach()
    const tell = () => report({ report: 'recorded', recording: id })
    found?.recording.end().then(tell, tell)
  }
  return {
    start({ recording: id, folder, isGrid, room: roomSid }, room) {
      const recording = openRoomRecording({
        ...{ folder, isGrid },
        onFailed: (error) =>
          report({ report: 'recording-failed', recording: id, reason: String((error as Error).message) }),
      })
      running.set(id, { roomSid, recording, detach: room?.record(recording) ?? (() => {}) })
    },
    attach(roomSid, room) {
      for (const one of running.values()) if (one.roomSid === roomSid) one.detach = room.record(one.recording)
    },
    end,
  }
}
