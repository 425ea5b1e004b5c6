import { MediaFault, type Message, textOf } from '../api/api-messages.ts'
import type { Emit, Participant, Room, Rooms } from '../rooms/rooms.ts'
import { after, type Clock, guarded, type OnFault, type Timer } from '../timers.ts'
import { type Egress, egressMessage, newEgress, watcherOf } from './egress.ts'
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
  paceMs?: number
}

interface Running {
  egress: Egress
  watcher: Participant | undefined
  next: Timer | undefined
  /** Why it ended by itself. */
  over?: Pick<FilmEnd, 'status' | 'error'>
}

const PACE_MS = 250
const KEEP_ENDED_MS = 24 * 60 * 60 * 1_000
const STOPPABLE: readonly Egress['status'][] = ['EGRESS_STARTING', 'EGRESS_ACTIVE']

/** The life of recordings; what is recorded, and how a file comes of it, is the film maker's. */
export function openRecorder(needs: RecorderNeeds): Recorder {
  const { clock, rooms, emit, maker, onFault, paceMs = PACE_MS } = needs
  const all = new Map<string, Running>()
  const making = new Set<Promise<void>>()
  const nowMs = () => clock.now().getTime()

  const tell = (event: string, { egress }: Running) =>
    emit(event, { egressInfo: egressMessage(egress) }, egress.id)
  const change = (running: Running, changed: Partial<Egress>) => {
    running.next?.stop()
    Object.assign(running.egress, changed, { updatedAtMs: nowMs() })
  }
  const later = (running: Running, step: () => unknown) => {
    running.next = after(paceMs, step, onFault)
  }
  /** Two may record one room: it is recorded until the last of them has gone. */
  const tellRoom = (room: Room) => {
    const isRecording = [...room.participants.values()].some(({ permission }) => permission.recorder)
    if (isRecording !== room.isRecording) rooms.describe(room, { isRecording })
  }
  const liveRoom = ({ egress }: Running) => {
    const room = rooms.find(egress.room.name)
    return room?.sid === egress.room.sid ? room : undefined
  }
  const withdraw = (running: Running) => {
    const room = liveRoom(running)
    if (!room) return
    if (running.watcher) rooms.leave(room, running.watcher, 'CLIENT_INITIATED')
    running.watcher = undefined
    tellRoom(room)
  }
  const end = (running: Running, ended: FilmEnd) => {
    const { over } = running
    // a film that was cut short is complete in another way; one that could not be made stays so
    const status = ended.status === 'EGRESS_COMPLETE' && over ? over.status : ended.status
    change(running, { ...ended, error: ended.error ?? over?.error ?? '', status, endedAtMs: nowMs() })
    withdraw(running)
    tell('egress_ended', running)
  }
  const run = (running: Running) => {
    const { egress } = running
    const room = liveRoom(running)
    if (!room) return
    const begun = maker.begin(egress, room)
    if (begun === 'never') return
    if (begun) return end(running, begun)
    change(running, { status: 'EGRESS_ACTIVE', runningAtMs: nowMs() })
    running.watcher = rooms.join(room, watcherOf(egress.id))
    tellRoom(room)
    tell('egress_updated', running)
  }
  const complete = (running: Running) => {
    const made = maker
      .finish(running.egress)
      .then((ended) => {
        if (all.has(running.egress.id)) end(running, ended)
      })
      .catch(onFault)
      .finally(() => making.delete(made))
    making.add(made)
  }
  const finish = (running: Running, details: string) => {
    const { egress } = running
    if (egress.status === 'EGRESS_STARTING') {
      const error = 'Stop called before pipeline could start'
      return end(running, { status: 'EGRESS_ABORTED', error, errorCode: 412, details })
    }
    if (egress.status !== 'EGRESS_ACTIVE') return
    change(running, { status: 'EGRESS_ENDING', details })
    tell('egress_updated', running)
    later(running, () => complete(running))
  }
  const forgetOld = () => {
    for (const { egress } of all.values())
      if (egress.endedAtMs > 0 && egress.endedAtMs < nowMs() - KEEP_ENDED_MS) all.delete(egress.id)
  }
  const crash = () => {
    for (const { next } of all.values()) next?.stop()
    all.clear()
    maker.crash()
  }

  return {
    crash,
    async close() {
      crash()
      await Promise.allSettled(making)
    },
    start(body) {
      const egress = newEgress(rooms.require(textOf(body, 'roomName')), body, nowMs())
      const running: Running = { egress, watcher: undefined, next: undefined }
      forgetOld()
      all.set(egress.id, running)
      tell('egress_started', running)
      later(running, () => run(running))
      return egressMessage(egress)
    },
    stop(egressId) {
      const running = all.get(egressId)
      if (!running) throw new MediaFault('not_found', 'egress does not exist')
      const { status } = running.egress
      if (!STOPPABLE.includes(status))
        throw new MediaFault('failed_precondition', `egress with status ${status} cannot be stopped`)
      finish(running, 'End reason: StopEgress API')
      return egressMessage(running.egress)
    },
    list({ roomName, egressId, isActive }) {
      forgetOld()
      return [...all.values()]
        .map(({ egress }) => egress)
        .filter(({ room }) => !roomName || room.name === roomName)
        .filter(({ id }) => !egressId || id === egressId)
        .filter(({ status }) => !isActive || STOPPABLE.includes(status))
        .map(egressMessage)
    },
    roomEnds(room) {
      for (const running of all.values())
        if (running.egress.room.sid === room.sid) finish(running, 'End reason: Source closed')
    },
    overBy(egressId, { details, ...over }) {
      const running = all.get(egressId)
      if (running?.egress.status !== 'EGRESS_ACTIVE') return
      running.over = over
      finish(running, details)
    },
    resume(left) {
      for (const egress of left) {
        const running: Running = { egress, watcher: undefined, next: undefined }
        all.set(egress.id, running)
        change(running, { status: 'EGRESS_ENDING', details: 'End reason: the server ended' })
        guarded(() => complete(running), onFault)
      }
    },
  }
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
