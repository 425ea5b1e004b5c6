import type { Reply } from '@atrium/contract'
import type { AtriumClient } from '../index.ts'
import { createWantedStore, type WantedState, type WantedStore } from '../live/wanted-store.ts'
import type { Store } from '../store.ts'

/** What answers one message, and what of it is unread. */
export type ThreadRow = Reply<'listThreads'>['body']['threads'][number]

export interface ThreadsState extends WantedState {
  /** Those that the caller follows, the one with the newest reply first: a hundred at most. */
  list: readonly ThreadRow[]
  /** Replies that are not read, of all of them. */
  unread: number
}

export interface Threads extends Store<ThreadsState> {
  refresh(): Promise<void>
}

const THREADS = 100
const GATHER_MS = 200

/** Threads that the caller follows. */
export function createThreads(client: AtriumClient): WantedStore<ThreadsState> {
  return createWantedStore<Reply<'listThreads'>['body'], ThreadsState>({
    empty: { list: [], unread: 0, loaded: false },
    read: () => client.call('listThreads', { limit: THREADS }),
    stateOf: ({ threads }) => ({
      list: threads,
      unread: threads.reduce((sum, { unread }) => sum + unread, 0),
      loaded: true,
    }),
    gatherMs: GATHER_MS,
  })
}
