import type { Reply } from '@atrium/contract'
import type { AtriumClient } from '../index.ts'
import { createRefresher } from '../live/refresher.ts'
import { createStore, type Store } from '../store.ts'

type Listed = Reply<'listConversations'>['body']['conversations'][number]

/** What is the caller's own of a conversation. */
export type Choice = Pick<Listed, 'unread' | 'mentioned' | 'draft' | 'level' | 'lastReadMessageId'>

export interface ChoicesState {
  /** By the id of the conversation: of the hundred that moved last. */
  of: ReadonlyMap<number, Choice>
  /** Messages that mention the caller and are not read, of all of them. */
  mentioned: number
  loaded: boolean
  error?: unknown
}

export interface Choices extends Store<ChoicesState> {
  refresh(): Promise<void>
}

const CONVERSATIONS = 100
const GATHER_MS = 100

/** Drafts, levels and counts, read when somebody asks for them first. */
export function createChoices(
  client: AtriumClient,
): Choices & { later(): void; clear(): void; close(): void } {
  const empty: ChoicesState = { of: new Map(), mentioned: 0, loaded: false }
  const store = createStore(empty)
  let isWanted = false
  const refresher = createRefresher({
    read: () => client.call('listConversations', { limit: CONVERSATIONS }),
    onRead: ({ conversations }) =>
      store.set({
        of: new Map(conversations.map((one) => [one.conversationId, one])),
        mentioned: conversations.reduce((sum, { mentioned }) => sum + mentioned, 0),
        loaded: true,
      }),
    onError: (error) => store.update((state) => ({ ...state, error })),
    gatherMs: GATHER_MS,
  })
  const want = () => {
    if (isWanted) return
    isWanted = true
    void refresher.now()
  }
  return {
    get() {
      want()
      return store.get()
    },
    subscribe(listener) {
      want()
      return store.subscribe(listener)
    },
    refresh: refresher.now,
    later() {
      if (isWanted) refresher.soon()
    },
    clear() {
      store.set(empty)
      if (isWanted) void refresher.now()
    },
    close: refresher.close,
  }
}
