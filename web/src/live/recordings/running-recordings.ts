import type { SuccessBody } from '@atrium/client'
import { client } from '../office-client.ts'

type Recording = SuccessBody<'listRecordings'>['data'][number]

/** The recordings of a room that run now. Rejects as `call` does: also for who may not record. */
export async function runningRecordings(roomId: string): Promise<Recording[]> {
  const { data } = await client.call('listRecordings', { roomName: roomId, limit: 20 })
  return data.filter(({ state }) => state === 'starting' || state === 'active')
}
