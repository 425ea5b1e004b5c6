import type { OutboxItem, OutboxSender } from '../outbox/outbox.ts'
import type { ChatData, MessageChange, MessageShown } from './chat-data.ts'
import type { ChatMessage, PendingChange } from './message-list.ts'
import { withReaction } from './reactions.ts'

export const EDIT = 'message-edit'
export const DELETE = 'message-delete'
export const REACTION = 'message-reaction'
const KINDS = [EDIT, DELETE, REACTION]

/** Changes of one message leave in the order in which they were asked for. */
export function changeLane(messageId: number): string {
  return `changes ${messageId}`
}

/** Whether an entry of the outbox changes a message of a conversation. */
export function isChangeOf(conversationId: number, { kind, body }: OutboxItem): boolean {
  return KINDS.includes(kind) && (body as MessageChange).conversation_id === conversationId
}

/** The messages as they will be once the office has taken the changes; what it has refused is shown beside them. */
export function withChanges(
  messages: readonly ChatMessage[],
  items: readonly OutboxItem[],
  me: string | undefined,
): readonly ChatMessage[] {
  return items.reduce(
    (list, item) =>
      list.map((message) =>
        message.message_id === (item.body as MessageChange).message_id ? changed(message, item, me) : message,
      ),
    messages,
  )
}

function changed(message: ChatMessage, item: OutboxItem, me: string | undefined): ChatMessage {
  const { content, emoji = '', added = true } = item.body as MessageChange
  const isRefused = item.state === 'refused'
  if (item.kind === REACTION) {
    if (isRefused || me === undefined) return message
    return { ...message, reactions: withReaction(message.reactions, { emoji, added, userId: me }, me) }
  }
  const kind = item.kind === EDIT ? 'edit' : 'delete'
  const pending: PendingChange = {
    id: item.id,
    kind,
    state: item.state,
    ...(content === undefined ? {} : { content }),
    ...(item.error === undefined ? {} : { error: item.error }),
  }
  if (isRefused) return { ...message, change: pending }
  if (kind === 'delete') return { ...deleted(message), change: pending }
  return { ...message, content: content ?? message.content, is_edited: true, change: pending }
}

/** A message as it is shown once it is deleted. */
export function deleted<Message extends ChatMessage>(message: Message): Message {
  return { ...message, content: '', is_deleted: true, reactions: [], mentions: [], attachments: [] }
}

interface Heard {
  onEdited(message: MessageShown): void
  onDeleted(change: MessageChange): void
  onReacted(change: MessageChange): void
  /** Another tab has sent or dropped it. */
  onGone(conversationId: number): void
}

/** What sends changes of messages by the outbox. */
export function changeSenders(data: ChatData, heard: Heard): Record<string, OutboxSender> {
  const onGone = ({ body }: OutboxItem) => heard.onGone((body as MessageChange).conversation_id)
  const changeOf = ({ body }: OutboxItem) => body as MessageChange
  return {
    [EDIT]: {
      send: (item, owner) => data.edit(changeOf(item), owner),
      onSent: (_, answer) => heard.onEdited(answer as MessageShown),
      onGone,
    },
    [DELETE]: {
      send: (item, owner) => data.remove(changeOf(item), owner),
      onSent: (item) => heard.onDeleted(changeOf(item)),
      onGone,
    },
    [REACTION]: {
      send: (item, owner) => data.react(changeOf(item), owner),
      onSent: (item) => heard.onReacted(changeOf(item)),
      onGone,
    },
  }
}
