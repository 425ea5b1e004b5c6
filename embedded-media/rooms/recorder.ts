import { MediaFault, type Message } from '../api/api-messages.ts'
import type { Room } from './rooms.ts'

/** What records rooms: LiveKit calls each recording an egress. */
export interface Recorder {
  /** Starts recording a room. @returns its description */
  start(body: Record<string, unknown>): Message
  stop(egressId: string): Message
  list(filter: { roomName: string; egressId: string; isActive: boolean }): Message[]
  /** The room is ending: what records it ends too. */
  roomEnds(room: Room): void
  /** Forgets everything at once and tells nobody, as a recorder that is killed. */
  crash(): void
  /** Crashes, and waits for the files that are being written. */
  close(): Promise<void>
}

/** Where there is none: starts are refused as LiveKit refuses them without a machine that records. */
export const NO_RECORDER: Recorder = {
  start() {
    throw new MediaFault('unavailable', 'no response from servers')
  },
  stop() {
    throw new MediaFault('not_found', 'egress does not exist')
  },
  list: () => [],
  roomEnds() {},
  crash() {},
  async close() {},
}
