import { AtriumError } from './errors.ts'
import type { AtriumClient } from './index.ts'
import { createRefresher } from './live/refresher.ts'
import type { Realtime, ReceivedEvent } from './realtime.ts'
import { ALL, type ChangedRooms, type Room, withEvent, withRoom } from './room-list.ts'
import { createStore, type Store } from './store.ts'

export type { PersonInRoom, Room } from './room-list.ts'

export interface RoomsState {
  /** In the order of the office. */
  rooms: readonly Room[]
  /** All of them were read once. */
  loaded: boolean
  /** Why they could not be read the last time; what is shown may be old. */
  error?: unknown
}

/** The rooms of the active organization with what goes on in them, kept right by events. */
export interface Rooms extends Store<RoomsState> {
  /** As it is now; undefined where there is none of that id. */
  room(roomId: string): Room | undefined
  /** Reads them afresh. Never rejects: `error` of the state says what is wrong. */
  refresh(): Promise<void>
  close(): void
}

/** Events that may say something else than what is being read. */
const CHANGES = /^(room|profile)\./
/** A meeting that begins is many events. */
const GATHER_MS = 100

/** What was read: every room, or one of them, which may be gone. */
type Read = { rooms: Room[] } | { roomId: string; room: Room | undefined }

/**
 * Reads the rooms at once, and follows them over the connection. Most events say what is different from now on; whoever
 * comes in has a name and a picture, which are read: of one room, where only one has changed.
 */
export function createRooms(client: AtriumClient, live: Realtime): Rooms {
  const store = createStore<RoomsState>({ rooms: [], loaded: false })
  /** What has to be read, and how often that was said; a reading is over for what was not said again meanwhile. */
  const due: ChangedRooms = new Map()
  let reading = 0
  const refresher = createRefresher({
    async read() {
      reading += 1
      const meant = new Map(due)
      try {
        return { read: await readDue(client, meant), meant }
      } finally {
        reading -= 1
      }
    },
    onRead({ read, meant }) {
      for (const [what, times] of meant) if (due.get(what) === times) due.delete(what)
      const { rooms } = store.get()
      if ('rooms' in read) store.set({ rooms: read.rooms, loaded: true })
      else store.set({ rooms: withRoom(rooms, read.roomId, read.room), loaded: true })
    },
    onError: (error) => store.update((state) => ({ ...state, error })),
    gatherMs: GATHER_MS,
  })
  const readSoon = (what: string) => {
    due.set(what, (due.get(what) ?? 0) + 1)
    refresher.soon()
  }
  const refresh = () => {
    due.set(ALL, (due.get(ALL) ?? 0) + 1)
    return refresher.now()
  }
  const heard = (event: ReceivedEvent) => {
    const { rooms, toRead } = withEvent(store.get().rooms, event)
    store.update((state) => (rooms === state.rooms ? state : { ...state, rooms }))
    if (toRead !== undefined) readSoon(toRead)
    // what is being read may be from before
    else if (CHANGES.test(event.type) && reading > 0) readSoon(ALL)
  }
  const ends = [
    live.on('event', heard),
    live.on('gap', ({ scope }) => scope === 'organization' && readSoon(ALL)),
    live.on('organization', () => {
      store.set({ rooms: [], loaded: false })
      void refresh()
    }),
  ]
  void refresh()

  return {
    get: store.get,
    subscribe: store.subscribe,
    room: (roomId) => store.get().rooms.find(({ id }) => id === roomId),
    refresh,
    close() {
      refresher.close()
      for (const end of ends) end()
    },
  }
}

async function readDue(client: AtriumClient, due: ChangedRooms): Promise<Read> {
  const [roomId = ALL, ...others] = due.keys()
  if (roomId === ALL || others.length > 0) return await client.call('listRooms')
  try {
    return { roomId, room: (await client.call('getRoom', { roomId })).room }
  } catch (error) {
    if (error instanceof AtriumError && error.status === 404) return { roomId, room: undefined }
    throw error
  }
}
