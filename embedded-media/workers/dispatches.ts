import { Job, JobStatus, type UpdateJobStatus } from '@livekit/protocol'
import { jobToken, type TokenKeys } from '../api/access-tokens.ts'
import { apiText, MediaFault, type Message, newSid } from '../api/api-messages.ts'
import { type Participant, type Room, type Rooms, roomMessage } from '../rooms/rooms.ts'
import { after, type Clock, guarded, type OnFault } from '../timers.ts'
import type { Worker } from './worker.ts'
import type { Workers } from './workers.ts'

type Status = keyof typeof JobStatus

/** One participant that a dispatch has asked a worker for. */
interface AskedJob {
  id: string
  status: Status
  error: string
  startedAtMs: number
  endedAtMs: number
  /** Of its participant; empty until a worker has taken it. */
  identity: string
  /** Undefined: none has taken it, or its connection is gone. */
  worker: Worker | undefined
  /** It ended as its participant was lost while its worker was still there: with it, where that dies too. */
  wasLost: boolean
}

export interface Dispatch {
  id: string
  agentName: string
  metadata: string
  deployment: string
  attributes: Record<string, string>
  restartPolicy: string
}

interface Dispatched extends Dispatch {
  room: Room
  createdAtMs: number
  isDeleted: boolean
  jobs: AskedJob[]
}

export interface DispatchesNeeds extends TokenKeys {
  clock: Clock
  rooms: Pick<Rooms, 'leave'>
  choose: Workers['choose']
  onFault: OnFault
}

/** Which workers rooms have asked for, and what came of it: LiveKit's `AgentDispatchService`, and what follows from it. */
export interface Dispatches {
  create(room: Room, wanted: Omit<Dispatch, 'id'>): Message
  /** Those of a room, or the one of that id. */
  list(room: Room, id: string): Message[]
  /** Its jobs end, and who takes part by them is put out. @throws MediaFault not_found */
  remove(room: Room, id: string): Message
  hear(update: UpdateJobStatus): void
  /** Jobs without a participant inside go to another worker. */
  workerGone(worker: Worker): void
  /** The job of a participant ends with it; where its worker died, the job goes to another one. */
  left(room: Room, participant: Participant, reason: string): void
  roomEnds(room: Room): void
  /** Forgets everything without a word, as a server that is killed. */
  crash(): void
}

const DISPATCHES_MAX = 20
/** Jobs of a dispatch that workers died of, or refused: then it is given up. */
const JOBS_MAX = 5
/** A program leaves by itself, when it is told. */
const PUT_OUT_AFTER_MS = 3_000
/** Of a process that dies, the connection of its participant may be gone before its own: that is found out by a ping. */
const LOST_TOGETHER_MS = 15_000
/** Where the server does not know why a participant is gone: the process may have died. */
const ACCIDENTS = ['SIGNAL_CLOSE', 'CONNECTION_TIMEOUT', 'STATE_MISMATCH', 'UNKNOWN_REASON']

/** The dispatches of all rooms, for the functions below. */
interface Kept {
  needs: DispatchesNeeds
  ofRooms: Map<Room, Dispatched[]>
}

export function openDispatches(needs: DispatchesNeeds): Dispatches {
  const kept: Kept = { needs, ofRooms: new Map() }
  const ofRoom = (room: Room) => kept.ofRooms.get(room) ?? []
  return {
    create: (room, wanted) => create(kept, room, wanted),
    list: (room, id) =>
      ofRoom(room)
        .filter((one) => id === '' || one.id === id)
        .map(dispatchMessage),
    remove(room, id) {
      const found = ofRoom(room).find((one) => one.id === id)
      if (!found) throw new MediaFault('not_found', 'dispatch ID not found')
      const others = ofRoom(room).filter((one) => one !== found)
      kept.ofRooms.set(room, others)
      drop(kept, found)
      const putOut = () => {
        for (const inside of insideBy(found)) needs.rooms.leave(room, inside, 'PARTICIPANT_REMOVED')
      }
      after(PUT_OUT_AFTER_MS, putOut, needs.onFault)
      return dispatchMessage(found)
    },
    hear: (update) => hear(kept, update),
    workerGone: (worker) => workerGone(kept, worker),
    left: (room, { identity }, reason) => left(kept, { room, identity, reason }),
    roomEnds(room) {
      for (const dispatch of ofRoom(room)) drop(kept, dispatch)
      kept.ofRooms.delete(room)
    },
    crash: () => kept.ofRooms.clear(),
  }
}

function create({ needs, ofRooms }: Kept, room: Room, wanted: Omit<Dispatch, 'id'>): Message {
  if (wanted.agentName === '') throw new MediaFault('invalid_argument', 'agent name is required')
  const known = ofRooms.get(room) ?? []
  if (known.length >= DISPATCHES_MAX) throw new MediaFault('failed_precondition', 'too many dispatches')
  const createdAtMs = needs.clock.now().getTime()
  const dispatch = { ...wanted, id: newSid('AD'), room, createdAtMs, isDeleted: false, jobs: [] }
  ofRooms.set(room, [...known, dispatch])
  guarded(() => launch(needs, dispatch), needs.onFault)
  return dispatchMessage(dispatch)
}

function hear({ needs, ofRooms }: Kept, { jobId, status, error }: UpdateJobStatus): void {
  const jobs = [...ofRooms.values()].flat().flatMap((dispatch) => dispatch.jobs)
  const job = jobs.find(({ id }) => id === jobId)
  if (!job || isOver(job)) return
  job.status = JobStatus[status] as Status
  job.error = error
  if (isOver(job)) job.endedAtMs = needs.clock.now().getTime()
}

function workerGone(kept: Kept, worker: Worker): void {
  for (const dispatch of [...kept.ofRooms.values()].flat())
    for (const job of dispatch.jobs.filter((one) => one.worker === worker)) {
      job.worker = undefined
      const isLost = isOver(job)
        ? job.wasLost && kept.needs.clock.now().getTime() - job.endedAtMs < LOST_TOGETHER_MS
        : !dispatch.room.participants.has(job.identity)
      if (!isLost) continue
      end(kept, job, 'JS_FAILED', 'the worker is gone')
      again(kept, dispatch)
    }
}

function left(
  kept: Kept,
  { room, identity, reason }: { room: Room; identity: string; reason: string },
): void {
  for (const dispatch of kept.ofRooms.get(room) ?? [])
    for (const job of dispatch.jobs.filter((one) => one.identity === identity && !isOver(one))) {
      const isAccident = ACCIDENTS.includes(reason)
      job.wasLost = isAccident
      end(kept, job, 'JS_FAILED', 'agent worker left the room')
      if (isAccident && !job.worker) again(kept, dispatch)
    }
}

function again({ needs }: Kept, dispatch: Dispatched): void {
  if (dispatch.isDeleted || dispatch.restartPolicy === 'JRP_NEVER' || dispatch.jobs.length >= JOBS_MAX) return
  guarded(() => launch(needs, dispatch), needs.onFault)
}

function drop(kept: Kept, dispatch: Dispatched): void {
  dispatch.isDeleted = true
  for (const job of dispatch.jobs) end(kept, job, 'JS_SUCCESS')
}

function end({ needs }: Kept, job: AskedJob, status: Status, error = ''): void {
  if (isOver(job)) return
  Object.assign(job, { status, error, endedAtMs: needs.clock.now().getTime() })
  job.worker?.terminate(job.id)
}

function isOver({ status }: AskedJob): boolean {
  return status === 'JS_SUCCESS' || status === 'JS_FAILED'
}

/** Offers a job to one worker after the other, until one takes it. */
async function launch(needs: DispatchesNeeds, dispatch: Dispatched): Promise<void> {
  const job: AskedJob = {
    ...{ id: newSid('AJ'), status: 'JS_PENDING', error: '', identity: '', worker: undefined },
    ...{ startedAtMs: 0, endedAtMs: 0, wasLost: false },
  }
  dispatch.jobs.push(job)
  const tried = new Set<Worker>()
  const next = () => needs.choose(dispatch, tried)
  for (let worker = next(); worker; worker = next()) {
    tried.add(worker)
    const answer = await worker.offer(jobFor(dispatch, job))
    if (dispatch.isDeleted) return
    if (answer?.terminate) {
      job.status = 'JS_SUCCESS'
      return
    }
    if (!answer?.available || answer.participantIdentity === '') continue
    const now = needs.clock.now()
    const identity = answer.participantIdentity
    const token = await jobToken(needs, {
      ...{ room: dispatch.room.name, identity, permission: worker.permission, now },
      ...{ name: answer.participantName, metadata: answer.participantMetadata },
      attributes: { ...answer.participantAttributes, [AGENT_NAME]: worker.agentName },
    })
    if (dispatch.isDeleted || !worker.isConnected()) continue
    Object.assign(job, { identity, worker, status: 'JS_RUNNING', startedAtMs: now.getTime() })
    worker.assign(jobFor(dispatch, job), token)
    return
  }
  if (dispatch.isDeleted) return
  const error = tried.size === 0 ? 'no worker is available' : 'no worker takes the job'
  Object.assign(job, { status: 'JS_FAILED', error, endedAtMs: needs.clock.now().getTime() })
}

/** Of participants that come by a job: under which name their worker has registered. */
const AGENT_NAME = 'lk.agent_name'

function insideBy({ jobs, room }: Dispatched): Participant[] {
  return jobs.flatMap(({ identity }) => room.participants.get(identity) ?? [])
}

function jobFor(dispatch: Dispatched, job: AskedJob): Job {
  const message = { ...jobMessage(dispatch, job), room: roomMessage(dispatch.room) }
  return Job.fromJsonString(apiText(message), { ignoreUnknownFields: true })
}

function jobMessage({ id: dispatchId, ...dispatch }: Dispatched, job: AskedJob): Message {
  return {
    ...{ id: job.id, dispatchId, type: 'JT_ROOM', metadata: dispatch.metadata },
    ...{ agentName: dispatch.agentName, deployment: dispatch.deployment, attributes: dispatch.attributes },
    state: {
      status: job.status,
      error: job.error,
      startedAt: nanoseconds(job.startedAtMs),
      endedAt: nanoseconds(job.endedAtMs),
      updatedAt: nanoseconds(job.endedAtMs || job.startedAtMs),
      participantIdentity: job.identity,
      workerId: job.worker?.id ?? '',
    },
  }
}

function dispatchMessage(dispatch: Dispatched): Message {
  const { id, agentName, room, metadata, deployment, attributes, restartPolicy, jobs } = dispatch
  const state = {
    jobs: jobs.map((job) => jobMessage(dispatch, job)),
    createdAt: nanoseconds(dispatch.createdAtMs),
  }
  return { id, agentName, room: room.name, metadata, deployment, attributes, restartPolicy, state }
}

function nanoseconds(ms: number): bigint {
  return BigInt(ms) * 1_000_000n
}
