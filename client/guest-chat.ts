import type { Reply } from '@atrium/contract'
import type { AtriumClient } from './index.ts'
import { randomId } from './requests/random-id.ts'
import { createStore, type Store, type WritableStore } from './store.ts'

export type GuestMessage = Reply<'listGuestMessages'>['body']['messages'][number]

export interface SentMessage {
  clientMessageId: string
  content: string
}

export interface GuestChatState {
  /** What was written since the guest was let in, oldest first. */
  messages: readonly GuestMessage[]
  /** What the office has taken from this guest, as long as `messages` may not have it yet, oldest first. */
  sent: readonly SentMessage[]
  loaded: boolean
  /** Why it could not be read the last time. */
  error?: unknown
}

/** The conversation of a room, for a guest who is in it. */
export interface GuestChat extends Store<GuestChatState> {
  /** Writes. Sent again by the same id, it is there once. Rejects as `call` does. */
  send(content: string, clientMessageId?: string): Promise<void>
  /** Reads what is new. Never rejects. */
  refresh(): Promise<void>
  close(): void
}

export interface GuestChatOptions {
  /**
   * How often it is read, in milliseconds, or what answers that before each wait; 2 seconds where not given, 0: only
   * when `refresh` is called.
   */
  everyMs?: number | (() => number)
}

const EVERY_MS = 2_000

/**
 * Reads at once, and again and again: guests have no realtime connection.
 * @param inviteId as the state of a visit has it
 */
export function createGuestChat(
  client: AtriumClient,
  inviteId: string,
  { everyMs = EVERY_MS }: GuestChatOptions = {},
): GuestChat {
  const store = createStore<GuestChatState>({ messages: [], sent: [], loaded: false })
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  let reading: Promise<void> | undefined

  const readNew = newsOf(client, inviteId, { store, isClosed: () => isClosed })
  const refresh = () => {
    reading ??= readNew().finally(() => {
      reading = undefined
    })
    return reading
  }
  const goOn = async () => {
    await refresh()
    const wait = typeof everyMs === 'number' ? everyMs : everyMs()
    if (!isClosed && wait > 0) timer = setTimeout(() => void goOn(), wait)
  }
  void goOn()
  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh,
    async send(content, clientMessageId = randomId()) {
      await client.call('sendGuestMessage', { inviteId, content, clientMessageId })
      const isKnown = store.get().messages.some((one) => one.clientMessageId === clientMessageId)
      if (!isClosed && !isKnown)
        store.update((state) => ({ ...state, sent: [...state.sent, { clientMessageId, content }] }))
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** What reads what is new, and what is other than it was at the reading before. */
function newsOf(
  client: AtriumClient,
  inviteId: string,
  { store, isClosed }: { store: WritableStore<GuestChatState>; isClosed(): boolean },
): () => Promise<void> {
  let changedSince: string | undefined
  return async () => {
    const { messages: known, sent: taken } = store.get()
    const after = known.at(-1)?.id
    try {
      const { messages, changed, asOf } = await client.call('listGuestMessages', {
        inviteId,
        ...(after === undefined ? {} : { after }),
        ...(changedSince === undefined ? {} : { changedSince }),
      })
      changedSince = asOf
      // what was taken before the office was asked is among them, and may be since
      const listed = new Set(messages.map(({ clientMessageId }) => clientMessageId))
      const isListed = (one: SentMessage) => taken.includes(one) || listed.has(one.clientMessageId)
      const sent = store.get().sent.filter((one) => !isListed(one))
      if (!isClosed())
        store.set({ messages: [...withChanges(known, changed), ...messages], sent, loaded: true })
    } catch (error) {
      if (!isClosed()) store.update((state) => ({ ...state, error }))
    }
  }
}

/** @param changed undefined of an office that is older than this client */
function withChanges(
  known: readonly GuestMessage[],
  changed: Reply<'listGuestMessages'>['body']['changed'] = [],
): GuestMessage[] {
  return known.flatMap((message) => {
    const now = changed.find(({ id }) => id === message.id)
    if (!now) return message
    return now.isDeleted ? [] : { ...message, content: now.content }
  })
}
