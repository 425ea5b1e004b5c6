import { client } from '../office-client.ts'

/** Whom one has knocked for, and where to meet. */
export interface KnockForPerson {
  name: string
  userId: string
  roomId?: string
}

/** At the door of a room: the members inside may answer. */
export interface KnockAtDoor {
  name: string
  roomId: string
  isDoor: true
}

/** Whether a knock asks for a talk: to meet at a table for two, which may not have been read yet. */
export function asksToTalk(
  { door, roomId }: { door?: boolean; roomId?: string },
  room: { temporary: boolean } | undefined,
): boolean {
  return !door && roomId !== undefined && (room === undefined || room.temporary)
}

export type OwnKnock = KnockForPerson | KnockAtDoor

const own = new Map<string, OwnKnock>()

/** Asks a colleague for a moment. Rejects as `call` does. @returns the id of the knock that waits; undefined: not reachable */
export async function knock(whom: KnockForPerson, message: string): Promise<string | undefined> {
  const { knockId, state } = await client.call('knock', {
    userId: whom.userId,
    ...(whom.roomId ? { roomId: whom.roomId } : {}),
    ...(message ? { message } : {}),
  })
  if (state !== 'waiting') return undefined
  keepOwnKnock(knockId, whom)
  return knockId
}

/** Until it has ended. */
export function keepOwnKnock(knockId: string, whom: OwnKnock): void {
  own.set(knockId, whom)
}

/** Takes what one knows of an own knock that has ended. */
export function takeOwnKnock(knockId: string): OwnKnock | undefined {
  const found = own.get(knockId)
  own.delete(knockId)
  return found
}

const standing = new Map<string, () => void>()

/** Registers a person before a locked room, on its screen: `goIn` runs when it is opened for them. @returns ends it */
export function standBefore(roomId: string, goIn: () => void): () => void {
  standing.set(roomId, goIn)
  return () => {
    if (standing.get(roomId) === goIn) standing.delete(roomId)
  }
}

/** The door was opened for oneself. @returns whether one stood before it, and is on the way in */
export function goInAt(roomId: string): boolean {
  const goIn = standing.get(roomId)
  goIn?.()
  return goIn !== undefined
}
