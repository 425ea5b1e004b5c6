import { once } from 'node:events'
import {
  type Job,
  type JobAssignment,
  JobStatus,
  JobType,
  ServerMessage,
  WorkerMessage,
  type WorkerStatus,
} from '@livekit/protocol'
import { AccessToken } from 'livekit-server-sdk'
import { WebSocket } from 'ws'

type Sent = NonNullable<WorkerMessage['message']>
export type Heard = ServerMessage['message']

/** A worker that is played by a test: the messages of LiveKit's workers over a WebSocket of their own. */
export interface PlayedWorker {
  heard: Heard[]
  jobs(): Job[]
  assignments(): JobAssignment[]
  send(message: Sent): void
  tell(status: WorkerStatus, load: number): void
  finish(jobId: string, status?: JobStatus): void
  isClosed(): boolean
  /** As a machine that goes away. */
  die(): void
}

export interface WorkerOptions {
  agentName: string
  /** How offers are answered; undefined: not at all. */
  takes?: (job: Job) => boolean | undefined
  type?: JobType
  agent?: boolean
  keys: { apiKey: string; apiSecret: string }
}

/** @throws Error with the status, where it is refused */
export async function connectWorker(
  baseUrl: string,
  { agentName, takes = () => true, type = JobType.JT_ROOM, agent = true, keys }: WorkerOptions,
): Promise<PlayedWorker> {
  const token = new AccessToken(keys.apiKey, keys.apiSecret)
  token.addGrant({ agent })
  const headers = { authorization: `Bearer ${await token.toJwt()}` }
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/agent?protocol=1`, { headers })
  const heard: Heard[] = []
  const send = (message: Sent) => socket.send(new WorkerMessage({ message }).toBinary())
  socket.on('message', (data) => {
    const { message } = ServerMessage.fromBinary(data as Buffer)
    heard.push(message)
    if (message.case !== 'availability' || !message.value.job) return
    const { id: jobId } = message.value.job
    const available = takes(message.value.job)
    const who = { participantIdentity: `agent-${jobId}`, participantName: 'Worker' }
    if (available !== undefined) send({ case: 'availability', value: { jobId, available, ...who } } as Sent)
  })
  await once(socket, 'open')
  send({ case: 'register', value: { type, agentName, version: '1.0.0' } } as Sent)
  const values = <Case extends Heard['case']>(wanted: Case) =>
    heard.flatMap((one) =>
      one.case === wanted ? [one.value as Extract<Heard, { case: Case }>['value']] : [],
    )
  return {
    heard,
    jobs: () => values('availability').flatMap(({ job }) => job ?? []),
    assignments: () => values('assignment'),
    send,
    tell: (status, load) => send({ case: 'updateWorker', value: { status, load } } as Sent),
    finish: (jobId, status = JobStatus.JS_SUCCESS) =>
      send({ case: 'updateJob', value: { jobId, status } } as Sent),
    isClosed: () => socket.readyState === WebSocket.CLOSED,
    die: () => socket.terminate(),
  }
}
