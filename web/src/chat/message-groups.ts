import type { ChatMessage } from '@atrium/client/chat'

/** Messages of one person that followed each other closely: shown below one name. */
export interface MessageGroup {
  key: string
  senderId: string
  /** Of the first one. */
  at: string
  messages: readonly ChatMessage[]
}

/** The messages of one day, in the zone of whoever looks. */
export interface MessageDay {
  key: string
  at: string
  groups: readonly MessageGroup[]
}

const TOGETHER_MS = 5 * 60_000

/**
 * What stands in the conversation itself: answers to a message that is shown stand in its thread. How many there are is
 * counted anew, for no event tells of the count.
 */
export function mainMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  const shown = new Set(messages.map(({ message_id }) => message_id))
  const replies = new Map<number, number>()
  for (const { parent_message_id: parent } of messages)
    if (parent !== null) replies.set(parent, (replies.get(parent) ?? 0) + 1)
  return messages
    .filter(({ parent_message_id }) => parent_message_id === null || !shown.has(parent_message_id))
    .map((message) => {
      const count = replies.get(message.message_id ?? 0) ?? 0
      return count > message.reply_count ? { ...message, reply_count: count } : message
    })
}

/** The answers to one message. */
export function repliesTo(messages: readonly ChatMessage[], parentId: number): ChatMessage[] {
  return messages.filter(({ parent_message_id }) => parent_message_id === parentId)
}

/** By day, and within a day by whoever wrote. */
export function messageDays(messages: readonly ChatMessage[]): MessageDay[] {
  const days: { key: string; at: string; groups: (MessageGroup & { messages: ChatMessage[] })[] }[] = []
  for (const message of messages) {
    const at = message.created_at
    const key = new Date(at).toDateString()
    let day = days.at(-1)
    if (day?.key !== key) {
      day = { key, at, groups: [] }
      days.push(day)
    }
    const senderId = String(message.sender_id ?? '')
    const group = day.groups.at(-1)
    const before = group?.messages.at(-1)
    const follows = before && Date.parse(at) - Date.parse(before.created_at) < TOGETHER_MS
    if (group?.senderId === senderId && follows) group.messages.push(message)
    else day.groups.push({ key: keyOf(message), senderId, at, messages: [message] })
  }
  return days
}

/** The same before and after the office has given it an id. */
export function keyOf({ client_message_id, message_id }: ChatMessage): string {
  return client_message_id ?? String(message_id)
}

export type TextPart = { text: string; href?: string }

const ADDRESS = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}']/g

/** A text with the addresses in it told apart, so that they can be links. Nothing but http and https. */
export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: href, index } of text.matchAll(ADDRESS)) {
    if (index > from) parts.push({ text: text.slice(from, index) })
    parts.push({ text: href, href })
    from = index + href.length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}
