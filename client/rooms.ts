import { AtriumError } from './errors.ts'
import type { AtriumClient } from './index.ts'
import { createRefresher } from './live/refresher.ts'
import type { Realtime, ReceivedEvent } from './realtime.ts'
import {
  ALL,
  type ChangedRooms,
  type FindMember,
  outdatedBy,
  type Room,
  withEvent,
  withRoom,
} from './room-list.ts'
import { createStore, type Store, type WritableStore } from './store.ts'

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
  /** Reads a room that is in no list, a temporary one, if there is one of that id for the caller. */
  lookUp(roomId: string): void
  /** Reads them afresh. Never rejects: `error` of the state says what is wrong. */
  refresh(): Promise<void>
  close(): void
}

/** A meeting that begins is many events. */
const GATHER_MS = 100

/** What was read: every room, or one of them, which may be gone. */
type Read = { rooms: Room[] } | { roomId: string; room: Room | undefined }

/**
 * Reads the rooms at once, and follows them over the connection. Events say what is different from now on, but for the
 * name and the picture of a newcomer.
 * @param findMember knows them; where it does not, they are read: of one room, where only one has changed
 */
export function createRooms(client: AtriumClient, live: Realtime, findMember?: FindMember): Rooms {
  const store = createStore<RoomsState>({ rooms: [], loaded: false })
  const { readSoon, refresh, isReading, close } = readingOf(client, store)
  const heard = (event: ReceivedEvent) => {
    const { rooms, toRead } = withEvent(store.get().rooms, event, findMember)
    store.update((state) => (rooms === state.rooms ? state : { ...state, rooms }))
    if (toRead !== undefined) readSoon(toRead)
    // a room that no event has announced: a temporary one, of the two who talk there
    if (toRead === ALL && event.type === 'room.entered') readSoon(event.data.roomId)
    const outdated = isReading() ? outdatedBy(event) : undefined
    if (outdated !== undefined) readSoon(outdated)
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
    lookUp(roomId) {
      if (!store.get().rooms.some(({ id }) => id === roomId)) readSoon(roomId)
    },
    refresh,
    close() {
      close()
      for (const end of ends) end()
    },
  }
}

/** What is read, once for all that is due together. */
function readingOf(client: AtriumClient, store: WritableStore<RoomsState>) {
  /** What has to be read, and how often that was said; a reading is over for what was not said again meanwhile. */
  const due: ChangedRooms = new Map()
  let reading = 0
  const refresher = createRefresher({
    async read() {
      reading += 1
      const meant = new Map(due)
      try {
        return { read: await readDue(client, meant, temporaryOf(store.get().rooms)), meant }
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
  return { readSoon, refresh, isReading: () => reading > 0, close: () => refresher.close() }
}

function temporaryOf(rooms: readonly Room[]): string[] {
  return rooms.filter(({ temporary }) => temporary).map(({ id }) => id)
}

async function readDue(client: AtriumClient, due: ChangedRooms, temporary: readonly string[]): Promise<Read> {
  const [roomId = ALL, ...others] = due.keys()
  if (roomId !== ALL && others.length === 0) return { roomId, room: await readRoom(client, roomId) }
  const { rooms } = await client.call('listRooms')
  const wanted = new Set([...temporary, ...due.keys()])
  for (const known of [ALL, ...rooms.map(({ id }) => id)]) wanted.delete(known)
  const more = await Promise.all([...wanted].map((id) => readRoom(client, id)))
  return { rooms: [...rooms, ...more.filter((room) => room !== undefined)] }
}

async function readRoom(client: AtriumClient, roomId: string): Promise<Room | undefined> {
  try {
    return (await client.call('getRoom', { roomId })).room
  } catch (error) {
    if (error instanceof AtriumError && error.status === 404) return undefined
    throw error
  }
}
