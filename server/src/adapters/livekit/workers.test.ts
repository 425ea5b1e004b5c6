import type { AgentDispatchClient, RoomServiceClient } from 'livekit-server-sdk'
import { expect, it } from 'vitest'
import type { RoomId } from '../../platform/ids.ts'
import { askWorker } from './workers.ts'

const [RUNNING, FAILED] = [1, 3]
const room = 'kitchen' as RoomId
const wanted = { agentName: 'note-taker', metadata: '{"botId":"2"}' }

interface Job {
  status: number
  secondsAgo: number
}

/** A LiveKit with one dispatch, of one job. @returns what it was told */
async function ask({ status, secondsAgo }: Job, inside: readonly string[]): Promise<string[]> {
  const told: string[] = []
  const startedAt = BigInt(Date.now() - secondsAgo * 1_000) * 1_000_000n
  const jobs = [{ state: { status, startedAt, participantIdentity: 'agent-AJ_1' } }]
  const workers = {
    listDispatch: async () => [{ id: 'AD_1', agentName: wanted.agentName, state: { jobs } }],
    deleteDispatch: async (id: string) => told.push(`delete ${id}`),
    createDispatch: async (_: string, agentName: string) => told.push(`create ${agentName}`),
  }
  const rooms = { listParticipants: async () => inside.map((identity) => ({ identity })) }
  const clients = { workers, rooms } as unknown as {
    workers: AgentDispatchClient
    rooms: RoomServiceClient
  }
  await askWorker(clients, room, wanted)
  return told
}

it('asks for no second worker while the first is inside, or is about to come', async () => {
  expect(await ask({ status: RUNNING, secondsAgo: 600 }, ['7', 'agent-AJ_1'])).toEqual([])
  expect(await ask({ status: RUNNING, secondsAgo: 1 }, ['7'])).toEqual([])
})

it('asks anew after the worker was killed, though LiveKit calls its job running still, and after it has failed', async () => {
  const anew = ['delete AD_1', 'create note-taker']
  expect(await ask({ status: RUNNING, secondsAgo: 60 }, ['7', 'agent-AJ_2'])).toEqual(anew)
  expect(await ask({ status: FAILED, secondsAgo: 1 }, [])).toEqual(anew)
})
