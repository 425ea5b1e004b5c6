import { client } from './office-client.ts'

/** Whom one has knocked for, and where to meet. */
export interface OwnKnock {
  name: string
  userId: string
  roomId?: string
}

const own = new Map<string, OwnKnock>()

/** Asks a colleague for a moment. Rejects as `call` does. @returns the id of the knock that waits; undefined: not reachable */
export async function knock(whom: OwnKnock, message: string): Promise<string | undefined> {
  const { knockId, state } = await client.call('knock', {
    userId: whom.userId,
    ...(whom.roomId ? { roomId: whom.roomId } : {}),
    ...(message ? { message } : {}),
  })
  if (state !== 'waiting') return undefined
  own.set(knockId, whom)
  return knockId
}

/** Takes what one knows of an own knock that has ended. */
export function takeOwnKnock(knockId: string): OwnKnock | undefined {
  const found = own.get(knockId)
  own.delete(knockId)
  return found
}
