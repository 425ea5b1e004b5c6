import type { Reply } from '@atrium/contract'
import { AtriumError } from './errors.ts'
import type { AtriumClient } from './index.ts'
import { createRefresher } from './live/refresher.ts'
import type { Realtime, ReceivedEvent } from './realtime.ts'
import { createStore, type Store } from './store.ts'

export {
  createGuestChat,
  type GuestChat,
  type GuestChatOptions,
  type GuestChatState,
  type GuestMessage,
  type SentMessage,
} from './guest-chat.ts'
export { createGuestVisit, type GuestVisit, type GuestVisitOptions, type VisitState } from './guest-visit.ts'

export type LobbyGuest = Reply<'listGuests'>['body']['guests'][number]

export interface LobbyState {
  /** Guests who ask to be let in, the longest waiting first. */
  waiting: readonly LobbyGuest[]
  /** Who was let in. */
  admitted: readonly LobbyGuest[]
  loaded: boolean
  /** Why they could not be read the last time: 403 where the caller may not admit guests. */
  error?: unknown
}

/** The guests of a room whom the caller may decide on, kept right by events. Its promises reject as `call` does. */
export interface Lobby extends Store<LobbyState> {
  admit(guestIdentity: string): Promise<void>
  deny(guestIdentity: string): Promise<void>
  /** Puts out an admitted guest. */
  remove(guestIdentity: string): Promise<void>
  /** Never rejects: `error` of the state says what is wrong. */
  refresh(): Promise<void>
  close(): void
}

const EMPTY: LobbyState = { waiting: [], admitted: [], loaded: false }
/** Another role changes who may decide; the rest is told of each guest. */
const CHANGES = /^(guest|member)\.|^room\.deleted$/
const GATHER_MS = 50

export function createLobby(client: AtriumClient, live: Realtime, roomId: string): Lobby {
  const store = createStore<LobbyState>(EMPTY)
  const refresher = createRefresher({
    async read() {
      const { guests } = await client.call('listGuests', { roomId })
      return guests.filter(({ mayDecide }) => mayDecide !== false)
    },
    onRead: (guests) =>
      store.set({
        waiting: guests.filter(({ state }) => state === 'waiting'),
        admitted: guests.filter(({ state }) => state === 'admitted'),
        loaded: true,
      }),
    onError: (error) => store.update((state) => ({ ...(isOver(error) ? EMPTY : state), error })),
    gatherMs: GATHER_MS,
  })
  const concerns = ({ type, data }: ReceivedEvent) =>
    CHANGES.test(type) && (!('roomId' in data) || data.roomId === roomId)
  const ends = [
    live.on('event', (event) => concerns(event) && refresher.soon()),
    live.on('gap', refresher.soon),
    live.on('organization', () => {
      store.set(EMPTY)
      void refresher.now()
    }),
  ]
  const decide = async (guestIdentity: string, action: 'admit' | 'deny') => {
    // also where it is refused: another member was first
    await client.call('admitGuest', { roomId, guestIdentity, action }).finally(refresher.soon)
  }
  void refresher.now()

  return {
    get: store.get,
    subscribe: store.subscribe,
    admit: (guestIdentity) => decide(guestIdentity, 'admit'),
    deny: (guestIdentity) => decide(guestIdentity, 'deny'),
    remove: (guestIdentity) => client.call('removeGuest', { roomId, guestIdentity }).finally(refresher.soon),
    refresh: refresher.now,
    close() {
      refresher.close()
      for (const end of ends) end()
    },
  }
}

/** The room is gone, or the caller may not admit guests any more: what was read before is no longer theirs to see. */
function isOver(error: unknown): boolean {
  return error instanceof AtriumError && (error.status === 403 || error.status === 404)
}
