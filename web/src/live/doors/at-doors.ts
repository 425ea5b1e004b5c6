import type { AtriumClient } from '@atrium/client'
import type { Realtime } from '@atrium/client/realtime'
import { createStore } from '@atrium/client/store'

/** A person who waits to be let into a room. */
export interface AtDoor {
  /** A User.id, or the identity of a guest. */
  id: string
  roomId: string
  name: string
  isGuest: boolean
  /** Which knock of theirs it is. */
  knockId?: string
}

const store = createStore<readonly AtDoor[]>([])

/** Who stands at which door, as far as this page was told: those whom one may let in, and oneself. */
export const atDoors = {
  get: store.get,
  subscribe: store.subscribe,
  come(one: AtDoor): void {
    store.update((all) => [...all.filter(({ id }) => id !== one.id), one])
  },
  /** @param id of the person who has gone, or of their knock */
  go(id: string): void {
    store.update((all) =>
      all.some((one) => one.id === id || one.knockId === id)
        ? all.filter((one) => one.id !== id && one.knockId !== id)
        : all,
    )
  },
}

/** Guests who waited before this page was told of any: for those who may admit them. */
export async function readWaiting(client: AtriumClient): Promise<void> {
  const known = store.get().filter(({ isGuest }) => isGuest)
  const { guests } = await client.call('listWaitingGuests')
  const read = guests.map(
    ({ guestIdentity: id, roomId, guestName: name }): AtDoor => ({ id, roomId, name, isGuest: true }),
  )
  store.update((all) => {
    const isAtDoor = ({ id }: AtDoor) => all.some((one) => one.id === id)
    // one who has come or gone meanwhile was told by an event
    const gone = known.filter((one) => !isAtDoor(one) || !read.some(({ id }) => id === one.id))
    const others = all.filter(({ id }) => !gone.some((one) => one.id === id))
    return [...others, ...read.filter((one) => !isAtDoor(one) && !gone.some(({ id }) => id === one.id))]
  })
}

/** Lets the doors follow the events of the connection. @returns what ends it */
export function followDoors(live: Realtime): () => void {
  const end = live.on('event', (event) => {
    if (event.type === 'guest.waiting') {
      const { guestIdentity, guestName, roomId } = event.data
      atDoors.come({ id: guestIdentity, roomId, name: guestName, isGuest: true })
    }
    if (event.type === 'guest.decided' || event.type === 'guest.left') atDoors.go(event.data.guestIdentity)
    if (event.type === 'knock.received' && event.data.door && event.data.roomId !== undefined) {
      const { from, roomId, knockId } = event.data
      atDoors.come({ id: from, roomId, name: '', isGuest: false, knockId })
    }
    if (event.type === 'knock.ended') atDoors.go(event.data.knockId)
    if (event.type === 'room.deleted')
      for (const { id, roomId } of store.get()) if (roomId === event.data.roomId) atDoors.go(id)
  })
  return () => {
    end()
    store.set([])
  }
}
