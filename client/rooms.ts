import { AtriumError } from './errors.ts'
import type { AtriumClient } from './index.ts'
import { ALL, createDueReader, type DueReader } from './live/due-reader.ts'
import type { Realtime, ReceivedEvent } from './realtime.ts'
import { type FindMember, outdatedBy, type Room, withEvent, withRoom } from './room-list.ts'
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
  const reader = readerOf(client, store)
  const heard = (event: ReceivedEvent) => {
    const { rooms, toRead } = withEvent(store.get().rooms, event, findMember)
    store.update((state) => (rooms === state.rooms ? state : { ...state, rooms }))
    if (toRead !== undefined) reader.soon(toRead)
    // a room that no event has announced: a temporary one, of the two who talk there
    if (toRead === ALL && event.type === 'room.entered') reader.soon(event.data.roomId)
    const outdated = reader.isReading() ? outdatedBy(event) : undefined
    if (outdated !== undefined) reader.soon(outdated)
  }
  const ends = [
    live.on('event', heard),
    // of the organization, or of the member: rooms for two are told to those two alone
    live.on('gap', () => reader.soon(ALL)),
    live.on('organization', () => {
      store.set({ rooms: [], loaded: false })
      void reader.all()
    }),
  ]
  void reader.all()

  return {
    get: store.get,
    subscribe: store.subscribe,
    room: (roomId) => store.get().rooms.find(({ id }) => id === roomId),
    lookUp(roomId) {
      if (!store.get().rooms.some(({ id }) => id === roomId)) reader.soon(roomId)
    },
    refresh: reader.all,
    close() {
      reader.close()
      for (const end of ends) end()
    },
  }
}

function readerOf(client: AtriumClient, store: WritableStore<RoomsState>): DueReader {
  return createDueReader({
    read: (ids) => readDue(client, ids, temporaryOf(store.get().rooms)),
    onRead(read) {
      const { rooms } = store.get()
      if ('rooms' in read) store.set({ rooms: read.rooms, loaded: true })
      else store.set({ rooms: withRoom(rooms, read.roomId, read.room), loaded: true })
    },
    onError: (error) => store.update((state) => ({ ...state, error })),
    gatherMs: GATHER_MS,
  })
}

function temporaryOf(rooms: readonly Room[]): string[] {
  return rooms.filter(({ temporary }) => temporary).map(({ id }) => id)
}

async function readDue(
  client: AtriumClient,
  due: readonly string[],
  temporary: readonly string[],
): Promise<Read> {
  const [roomId = ALL, ...others] = due
  if (roomId !== ALL && others.length === 0) return { roomId, room: await readRoom(client, roomId) }
  const { rooms } = await client.call('listRooms')
  const wanted = new Set([...temporary, ...due])
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
