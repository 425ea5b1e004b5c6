import type { OutboxSender } from '../outbox/outbox.ts'
import type { ChatData, MessageRow, NewMessage, ReadMark } from './chat-data.ts'

export const MESSAGE = 'message'
export const READ_MARK = 'read-mark'

/** Messages of one conversation leave in the order in which they were written. */
export function messageLane(conversationId: number): string {
  return `messages ${conversationId}`
}

interface Heard {
  /** The office has the message; the row as it answers it. */
  onMessage(row: MessageRow): void
  /** Another tab has sent or deleted a message of the conversation. */
  onGone(conversationId: number): void
}

/** What chat sends by the outbox. */
export function chatSenders(data: ChatData, { onMessage, onGone }: Heard): Record<string, OutboxSender> {
  return {
    [MESSAGE]: {
      send: ({ body }, owner) => data.send(body as NewMessage, owner),
      onSent: (_, answer) => onMessage(answer as MessageRow),
      onGone: ({ body }) => onGone((body as NewMessage).conversation_id),
    },
    [READ_MARK]: { send: ({ body }, owner) => data.markRead(body as ReadMark, owner) },
  }
}
