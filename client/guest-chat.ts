import type { Reply } from '@atrium/contract'
import type { AtriumClient } from './index.ts'
import { createStore, type Store } from './store.ts'

export type GuestMessage = Reply<'listGuestMessages'>['body']['messages'][number]

export interface GuestChatState {
  /** What was written since the guest was let in, oldest first. */
  messages: readonly GuestMessage[]
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
  /** How often it is read, in milliseconds; 2 seconds where not given, 0: only when `refresh` is called. */
  everyMs?: number
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
  const store = createStore<GuestChatState>({ messages: [], loaded: false })
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  let reading: Promise<void> | undefined

  const read = async () => {
    const { messages: known } = store.get()
    const after = known.at(-1)?.id
    try {
      const { messages } = await client.call('listGuestMessages', {
        inviteId,
        ...(after === undefined ? {} : { after }),
      })
      if (!isClosed) store.set({ messages: [...known, ...messages], loaded: true })
    } catch (error) {
      if (!isClosed) store.update((state) => ({ ...state, error }))
    }
  }
  const refresh = () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  const goOn = async () => {
    await refresh()
    if (!isClosed && everyMs > 0) timer = setTimeout(() => void goOn(), everyMs)
  }
  void goOn()
  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh,
    async send(content, clientMessageId = crypto.randomUUID()) {
      await client.call('sendGuestMessage', { inviteId, content, clientMessageId })
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
