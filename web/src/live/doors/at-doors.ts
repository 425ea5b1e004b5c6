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
