import type { Emit, Participant, Room, Rooms } from '../rooms/rooms.ts'
import { after, type Clock, type OnFault, type Timer } from '../timers.ts'
import { type Egress, egressMessage, watcherOf } from './egress.ts'
import type { FilmEnd, FilmMaker } from './film-maker.ts'

/** What the egresses of a recorder have in common. */
export interface Egresses {
  readonly clock: Clock
  readonly rooms: Rooms
  readonly emit: Emit
  readonly maker: FilmMaker
  readonly onFault: OnFault
  /** From the start of a recording until it runs, and from its stop until its film is made. */
  readonly paceMs: number
  readonly all: Map<string, Running>
  /** Films that are being made. */
  readonly making: Set<Promise<void>>
}

export interface Running {
  egress: Egress
  watcher: Participant | undefined
  next: Timer | undefined
  /** Why it ended by itself. */
  over?: Pick<FilmEnd, 'status' | 'error'>
}

/** Starts one: it runs a pace later. */
export function begin(egresses: Egresses, egress: Egress): void {
  const running: Running = { egress, watcher: undefined, next: undefined }
  egresses.all.set(egress.id, running)
  tell(egresses, 'egress_started', running)
  later(egresses, running, () => run(egresses, running))
}

function run(egresses: Egresses, running: Running): void {
  const { rooms, maker } = egresses
  const { egress } = running
  const room = liveRoom(egresses, running)
  if (!room) return
  const begun = maker.begin(egress, room)
  if (begun === 'never') return
  if (begun) {
    end(egresses, running, begun)
    return
  }
  change(egresses, running, { status: 'EGRESS_ACTIVE', runningAtMs: nowMs(egresses) })
  running.watcher = rooms.join(room, watcherOf(egress.id))
  tellRoom(egresses, room)
  tell(egresses, 'egress_updated', running)
}

/** Stops one, wherever in its life it is; without effect where it ends already. */
export function finish(egresses: Egresses, running: Running, details: string): void {
  const { status } = running.egress
  if (status === 'EGRESS_STARTING') {
    const error = 'Stop called before pipeline could start'
    end(egresses, running, { status: 'EGRESS_ABORTED', error, errorCode: 412, details })
    return
  }
  if (status !== 'EGRESS_ACTIVE') return
  change(egresses, running, { status: 'EGRESS_ENDING', details })
  tell(egresses, 'egress_updated', running)
  later(egresses, running, () => complete(egresses, running))
}

/** Takes up one of an earlier life: its film is what is left to make. */
export function resume(egresses: Egresses, egress: Egress): void {
  const running: Running = { egress, watcher: undefined, next: undefined }
  egresses.all.set(egress.id, running)
  change(egresses, running, { status: 'EGRESS_ENDING', details: 'End reason: the server ended' })
  complete(egresses, running)
}

function complete(egresses: Egresses, running: Running): void {
  const { all, maker, making, onFault } = egresses
  // a recorder that has crashed meanwhile says nothing
  const ifKnown = (act: () => void) => all.has(running.egress.id) && act()
  const made = maker
    .finish(running.egress, () => ifKnown(() => withdraw(egresses, running)))
    .then((ended) => void ifKnown(() => end(egresses, running, ended)))
    .catch(onFault)
    .finally(() => making.delete(made))
  making.add(made)
}

function end(egresses: Egresses, running: Running, ended: FilmEnd): void {
  const { over } = running
  // a film that was cut short is complete in another way; one that could not be made stays so
  const status = ended.status === 'EGRESS_COMPLETE' && over ? over.status : ended.status
  const error = ended.error ?? over?.error ?? ''
  change(egresses, running, { ...ended, error, status, endedAtMs: nowMs(egresses) })
  withdraw(egresses, running)
  tell(egresses, 'egress_ended', running)
}

function withdraw(egresses: Egresses, running: Running): void {
  const room = liveRoom(egresses, running)
  if (!room) return
  if (running.watcher) egresses.rooms.leave(room, running.watcher, 'CLIENT_INITIATED')
  running.watcher = undefined
  tellRoom(egresses, room)
}

function liveRoom({ rooms }: Egresses, { egress }: Running): Room | undefined {
  const room = rooms.find(egress.room.name)
  return room?.sid === egress.room.sid ? room : undefined
}

/** Two may record one room: it is recorded until the last of them has gone. */
function tellRoom({ rooms }: Egresses, room: Room): void {
  const isRecording = [...room.participants.values()].some(({ permission }) => permission.recorder)
  if (isRecording !== room.isRecording) rooms.describe(room, { isRecording })
}

function tell({ emit }: Egresses, event: string, { egress }: Running): void {
  emit(event, { egressInfo: egressMessage(egress) }, egress.id)
}

function change(egresses: Egresses, running: Running, changed: Partial<Egress>): void {
  running.next?.stop()
  Object.assign(running.egress, changed, { updatedAtMs: nowMs(egresses) })
}

function later({ paceMs, onFault }: Egresses, running: Running, step: () => unknown): void {
  running.next = after(paceMs, step, onFault)
}

export function nowMs({ clock }: Egresses): number {
  return clock.now().getTime()
}
