import { ConnectionState, type Room } from 'livekit-client'
import { sampleMedia } from './sample-media.ts'
import { createStandstill } from './standstill.ts'

const EVERY_MS = 1_000

/** Looks at what a connection carries, until it is stopped: what ends without a word is noticed nowhere else. */
export interface MediaWatch {
  start(room: Room): void
  stop(): void
}

/** @param onStandstill told where media stands still though something is on: a new connection is worth trying */
export function createMediaWatch(onStandstill: (room: Room) => void): MediaWatch {
  const stands = createStandstill()
  let timer: ReturnType<typeof setInterval> | undefined
  const look = async (room: Room) => {
    // the client is busy with it already
    if (room.state !== ConnectionState.Connected) return
    const sample = await sampleMedia(room)
    if (timer !== undefined && stands(performance.now(), sample)) onStandstill(room)
  }
  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }
  return {
    start(room) {
      stop()
      timer = setInterval(() => void look(room), EVERY_MS)
    },
    stop,
  }
}
