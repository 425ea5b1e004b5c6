import { MediaFault, type Message, textOf } from '../api/api-messages.ts'
import type { Emit, Room, Rooms } from '../rooms/rooms.ts'
import { type Clock, guarded, type OnFault } from '../timers.ts'
import { type Egress, egressMessage, newEgress } from './egress.ts'
import { begin, type Egresses, finish, nowMs, resume } from './egress-life.ts'
import type { FilmEnd, FilmMaker } from './film-maker.ts'

/** What records rooms: LiveKit calls each recording an egress. */
export interface Recorder {
  /** Starts recording a room. @returns its description */
  start(body: Record<string, unknown>): Message
  stop(egressId: string): Message
  list(filter: { roomName: string; egressId: string; isActive: boolean }): Message[]
  /** The room is ending: what records it ends too. */
  roomEnds(room: Room): void
  /** It ended by itself: what there is of it is made into a film. */
  overBy(egressId: string, why: Pick<FilmEnd, 'status' | 'error'> & { details: string }): void
  /** Takes up recordings of an earlier life. */
  resume(left: readonly Egress[]): void
  /** Forgets everything at once without a word, as a recorder that is killed. */
  crash(): void
  /** Crashes, and waits for the files that are being kept. */
  close(): Promise<void>
}

export interface RecorderNeeds {
  clock: Clock
  rooms: Rooms
  emit: Emit
  maker: FilmMaker
  onFault: OnFault
  /** From the start of a recording until it runs, and from its stop until its film is made. */
  paceMs?: number | undefined
}

const PACE_MS = 250
const KEEP_ENDED_MS = 24 * 60 * 60 * 1_000
const STOPPABLE: readonly Egress['status'][] = ['EGRESS_STARTING', 'EGRESS_ACTIVE']

/** Which recordings there are; the life of each is in `egress-life.ts`, and how a file comes of it in the film maker. */
export function openRecorder({ paceMs = PACE_MS, ...needs }: RecorderNeeds): Recorder {
  const { rooms, maker, onFault } = needs
  const all: Egresses['all'] = new Map()
  const egresses: Egresses = { ...needs, paceMs, all, making: new Set() }
  const crash = () => {
    for (const { next } of all.values()) next?.stop()
    all.clear()
    maker.crash()
  }

  return {
    crash,
    async close() {
      crash()
      await Promise.allSettled(egresses.making)
    },
    start(body) {
      const egress = newEgress(rooms.require(textOf(body, 'roomName')), body, nowMs(egresses))
      forgetOld(egresses)
      begin(egresses, egress)
      return egressMessage(egress)
    },
    stop(egressId) {
      const running = all.get(egressId)
      if (!running) throw new MediaFault('not_found', 'egress does not exist')
      const { status } = running.egress
      if (!STOPPABLE.includes(status))
        throw new MediaFault('failed_precondition', `egress with status ${status} cannot be stopped`)
      finish(egresses, running, 'End reason: StopEgress API')
      return egressMessage(running.egress)
    },
    list(filter) {
      forgetOld(egresses)
      return listed(egresses, filter)
    },
    roomEnds(room) {
      for (const running of all.values())
        if (running.egress.room.sid === room.sid) finish(egresses, running, 'End reason: Source closed')
    },
    overBy(egressId, { details, ...over }) {
      const running = all.get(egressId)
      if (running?.egress.status !== 'EGRESS_ACTIVE') return
      running.over = over
      finish(egresses, running, details)
    },
    resume(left) {
      for (const egress of left) guarded(() => resume(egresses, egress), onFault)
    },
  }
}

function listed({ all }: Egresses, filter: Parameters<Recorder['list']>[0]): Message[] {
  const { roomName, egressId, isActive } = filter
  return [...all.values()]
    .map(({ egress }) => egress)
    .filter(({ room }) => !roomName || room.name === roomName)
    .filter(({ id }) => !egressId || id === egressId)
    .filter(({ status }) => !isActive || STOPPABLE.includes(status))
    .map(egressMessage)
}

function forgetOld(egresses: Egresses): void {
  const oldest = nowMs(egresses) - KEEP_ENDED_MS
  for (const { egress } of egresses.all.values())
    if (egress.endedAtMs > 0 && egress.endedAtMs < oldest) egresses.all.delete(egress.id)
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
  overBy() {},
  resume() {},
  crash() {},
  async close() {},
}
