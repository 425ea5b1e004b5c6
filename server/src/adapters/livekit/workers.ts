import type { AgentDispatchClient, RoomServiceClient } from 'livekit-server-sdk'
import type { RoomId } from '../../platform/ids.ts'
import type { AskedWorkers } from '../../ports/media.ts'
import { orElse } from './failures.ts'

type Dispatch = Awaited<ReturnType<AgentDispatchClient['listDispatch']>>[number]
type JobState = NonNullable<NonNullable<Dispatch['state']>['jobs'][number]['state']>

/** `JS_RUNNING` of LiveKit. */
const RUNNING = 1
/** From the moment that a worker takes a job to its program in the room, on a busy machine. */
const COMES_WITHIN_MS = 20_000
const NANOSECONDS_PER_MS = 1_000_000n

/** A dispatch is offered to workers once: it is made anew where none has taken it, or the one that did is gone. */
export async function askWorker(
  { workers, rooms }: { workers: AgentDispatchClient; rooms: Pick<RoomServiceClient, 'listParticipants'> },
  room: RoomId,
  { agentName, metadata }: AskedWorkers,
): Promise<void> {
  const before = (await listOf(workers, room)).filter((one) => one.agentName === agentName)
  const jobs = before.flatMap(({ state }) => state?.jobs ?? []).flatMap(({ state }) => state ?? [])
  const running = jobs.filter(({ status }) => status === RUNNING)
  if (running.length > 0) {
    const inside = await orElse(rooms.listParticipants(room), [])
    const identities = new Set(inside.map(({ identity }) => identity))
    if (running.some((state) => isAtWork(state, identities))) return
  }
  for (const { id } of before) await remove(workers, room, id)
  await workers.createDispatch(room, agentName, { metadata })
}

export async function listAsked(workers: AgentDispatchClient, room: RoomId): Promise<AskedWorkers[]> {
  return (await listOf(workers, room)).map(({ agentName, metadata }) => ({ agentName, metadata }))
}

export async function dismissWorkers(
  workers: AgentDispatchClient,
  room: RoomId,
  agentName: string,
): Promise<void> {
  for (const dispatch of await listOf(workers, room))
    if (dispatch.agentName === agentName) await remove(workers, room, dispatch.id)
}

/** Of a worker that was killed, LiveKit calls the job running for ever. */
function isAtWork({ participantIdentity, startedAt }: JobState, identities: ReadonlySet<string>): boolean {
  const comesSince = BigInt(Date.now() - COMES_WITHIN_MS) * NANOSECONDS_PER_MS
  return identities.has(participantIdentity) || startedAt > comesSince
}

const listOf = (workers: AgentDispatchClient, room: RoomId) =>
  orElse<Dispatch[]>(workers.listDispatch(room), [])

async function remove(workers: AgentDispatchClient, room: RoomId, id: string): Promise<void> {
  await orElse<unknown>(workers.deleteDispatch(id, room), undefined)
}
