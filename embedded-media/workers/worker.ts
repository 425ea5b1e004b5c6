import {
  type AvailabilityResponse,
  type Job,
  JobType,
  ServerMessage,
  type UpdateJobStatus,
  type UpdateWorkerStatus,
  WorkerMessage,
  WorkerStatus,
} from '@livekit/protocol'
import type { WebSocket } from 'ws'
import { newSid } from '../api/api-messages.ts'
import type { Permission } from '../messages.ts'
import { after, every, type OnFault } from '../timers.ts'

/** What a worker has registered as. */
export interface Registration {
  /** By which it is asked for; empty where it takes every room. */
  agentName: string
  namespace: string
  deployment: string
  /** What its participants may do in rooms. */
  permission: Permission
}

/** A program that takes jobs: each of them is a participant of a room. */
export interface Worker extends Registration {
  readonly id: string
  isConnected(): boolean
  isAvailable(): boolean
  /** From 0 to 1, as it says itself. */
  load(): number
  /** Asks whether it takes a job. @returns undefined: it is gone, or has not answered in time */
  offer(job: Job): Promise<AvailabilityResponse | undefined>
  assign(job: Job, token: string): void
  terminate(jobId: string): void
}

export interface WorkerNeeds {
  onRegistered(worker: Worker): void
  onJob(update: UpdateJobStatus): void
  /** Also where it has never registered. */
  onClosed(worker: Worker | undefined): void
  onFault: OnFault
}

const REGISTER_WITHIN_MS = 10_000
const ANSWER_WITHIN_MS = 10_000
/** The connection of a machine that is gone is not closed: it is missed by its answers to pings. */
const PING_EVERY_MS = 10_000
/** LiveKit's protocol of workers. */
const AGENT_PROTOCOL = 1
const PROTOCOL = 16

const EVERYTHING: Permission = {
  canSubscribe: true,
  canPublish: true,
  canPublishData: true,
  canUpdateMetadata: true,
  hidden: false,
  recorder: false,
  agent: true,
}

/** Speaks LiveKit's protocol with a worker, from its registration until one of the two closes. */
export function openWorker(socket: WebSocket, needs: WorkerNeeds): void {
  const { onFault } = needs
  const offers = new Map<string, (answer: AvailabilityResponse | undefined) => void>()
  const state = { worker: undefined as Worker | undefined, isAvailable: true, load: 0, isAlive: true }
  const late = after(REGISTER_WITHIN_MS, () => state.worker ?? socket.terminate(), onFault)
  const pinging = every(
    PING_EVERY_MS,
    () => {
      if (!state.isAlive) return socket.terminate()
      state.isAlive = false
      socket.ping()
    },
    onFault,
  )
  const send = (message: ServerMessage['message']) => {
    if (socket.readyState === socket.OPEN) socket.send(new ServerMessage({ message }).toBinary())
  }
  const hear = ({ message }: WorkerMessage) => {
    if (message.case === 'ping') return send(pong(message.value.timestamp))
    if (message.case === 'register' && !state.worker) {
      // jobs of single participants are LiveKit's alone
      if (message.value.type !== JobType.JT_ROOM) return socket.close(1008, 'only jobs of rooms')
      state.worker = newWorker(registrationOf(message.value), { socket, send, offers, state, onFault })
      send(registered(state.worker.id))
      return needs.onRegistered(state.worker)
    }
    if (!state.worker) return socket.close(1008, 'register first')
    if (message.case === 'availability') offers.get(message.value.jobId)?.(message.value)
    else if (message.case === 'updateJob') needs.onJob(message.value)
    else if (message.case === 'updateWorker') note(state, message.value)
  }
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? messageIn(data as Buffer) : undefined
    if (message) hear(message)
    else socket.close(1003, 'no message of a worker')
  })
  socket.on('pong', () => {
    state.isAlive = true
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    late.stop()
    pinging.stop()
    for (const answered of [...offers.values()]) answered(undefined)
    needs.onClosed(state.worker)
  })
}

interface Line {
  socket: WebSocket
  send(message: ServerMessage['message']): void
  offers: Map<string, (answer: AvailabilityResponse | undefined) => void>
  state: { isAvailable: boolean; load: number }
  onFault: OnFault
}

function newWorker(registration: Registration, { socket, send, offers, state, onFault }: Line): Worker {
  return {
    ...registration,
    id: newSid('AW'),
    isConnected: () => socket.readyState === socket.OPEN,
    isAvailable: () => state.isAvailable && socket.readyState === socket.OPEN,
    load: () => state.load,
    async offer(job) {
      const { promise, resolve } = Promise.withResolvers<AvailabilityResponse | undefined>()
      offers.set(job.id, resolve)
      const timer = after(ANSWER_WITHIN_MS, () => resolve(undefined), onFault)
      send(new ServerMessage({ message: { case: 'availability', value: { job } } }).message)
      try {
        return await promise
      } finally {
        timer.stop()
        offers.delete(job.id)
      }
    },
    assign: (job, token) =>
      send(new ServerMessage({ message: { case: 'assignment', value: { job, token } } }).message),
    terminate: (jobId) =>
      send(new ServerMessage({ message: { case: 'termination', value: { jobId } } }).message),
  }
}

function note(state: Line['state'], { load, status }: UpdateWorkerStatus): void {
  state.load = Math.min(1, Math.max(0, load))
  if (status !== undefined) state.isAvailable = status === WorkerStatus.WS_AVAILABLE
}

function pong(lastTimestamp: bigint): ServerMessage['message'] {
  const value = { lastTimestamp, timestamp: BigInt(Date.now()) }
  return new ServerMessage({ message: { case: 'pong', value } }).message
}

function registered(workerId: string): ServerMessage['message'] {
  const serverInfo = { version: 'embedded', protocol: PROTOCOL, agentProtocol: AGENT_PROTOCOL }
  return new ServerMessage({ message: { case: 'register', value: { workerId, serverInfo } } }).message
}

type Register = Extract<WorkerMessage['message'], { case: 'register' }>['value']

function registrationOf({
  agentName,
  namespace = '',
  deployment,
  allowedPermissions,
}: Register): Registration {
  const { canSubscribe, canPublish, canPublishData, canUpdateMetadata, hidden } =
    allowedPermissions ?? EVERYTHING
  const permission = { canSubscribe, canPublish, canPublishData, canUpdateMetadata, hidden }
  return { agentName, namespace, deployment, permission: { ...EVERYTHING, ...permission } }
}

function messageIn(bytes: Buffer): WorkerMessage | undefined {
  try {
    return WorkerMessage.fromBinary(bytes)
  } catch {
    return undefined
  }
}
