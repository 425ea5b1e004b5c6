import type { AgentDispatchClient } from 'livekit-server-sdk'
import type { RoomId } from '../../platform/ids.ts'
import type { AskedWorkers } from '../../ports/media.ts'
import { isNotFound } from './failures.ts'

type Dispatch = Awaited<ReturnType<AgentDispatchClient['listDispatch']>>[number]

/** `JS_RUNNING` of LiveKit. */
const RUNNING = 1

/** A dispatch is offered to workers once: where none has taken it, it is made anew. */
export async function askWorker(
  workers: AgentDispatchClient,
  room: RoomId,
  { agentName, metadata }: AskedWorkers,
): Promise<void> {
  const before = (await listOf(workers, room)).filter((one) => one.agentName === agentName)
  if (before.some(isAtWork)) return
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

function isAtWork({ state }: Dispatch): boolean {
  return state?.jobs.some((job) => job.state?.status === RUNNING) ?? false
}

async function listOf(workers: AgentDispatchClient, room: RoomId): Promise<Dispatch[]> {
  try {
    return await workers.listDispatch(room)
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

async function remove(workers: AgentDispatchClient, room: RoomId, id: string): Promise<void> {
  try {
    await workers.deleteDispatch(id, room)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
