import type { MessageRow } from './chat-data.ts'

/** Counts messages a moment after they have come: what an open conversation marks as read by then was never unread. */
export interface Counting {
  add(message: MessageRow): void
  /** A conversation is read up to a message. */
  read(conversationId: number, messageId: number): void
  /** Counts what has come. */
  now(): void
  /** Forgets what has come, and up to where anything is read. */
  clear(): void
}

/** How long a page takes to show a message, and to say that it was seen. */
const MOMENT_MS = 100

export function createCounting(count: (message: MessageRow, isRead: boolean) => void): Counting {
  const readUpTo = new Map<number, number>()
  let come: MessageRow[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const take = () => {
    clearTimeout(timer)
    timer = undefined
    const taken = come
    come = []
    return taken
  }
  const now = () => {
    for (const message of take())
      count(message, message.message_id <= (readUpTo.get(message.conversation_id) ?? 0))
  }
  return {
    add(message) {
      come.push(message)
      timer ??= setTimeout(now, MOMENT_MS)
    },
    read: (conversationId, messageId) => void readUpTo.set(conversationId, messageId),
    now,
    clear() {
      take()
      readUpTo.clear()
    },
  }
}
