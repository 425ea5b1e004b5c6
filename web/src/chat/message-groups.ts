import type { ChatMessage } from '@atrium/client/chat'

/** A message as it stands in the list. */
export interface ListedMessage {
  key: string
  message: ChatMessage
  /** It is the first one of its day, in the reader's zone. */
  beginsDay: boolean
  /** It is the first one that is new. */
  beginsNew: boolean
  /** Who wrote it is named: it does not follow another one of the same person closely. */
  isNamed: boolean
  /** What it answers; "" where that is not read. Undefined: it answers nothing. */
  answers?: string
}

const TOGETHER_MS = 5 * 60_000

/** A message and the answers to it, each once. @param replies as they were read, older ones too */
export function threadMessages(
  messages: readonly ChatMessage[],
  replies: readonly ChatMessage[],
  parentId: number,
): ChatMessage[] {
  const here = messages.filter(
    ({ message_id, parent_message_id }) => message_id === parentId || parent_message_id === parentId,
  )
  const known = new Set(here.map(({ message_id }) => message_id))
  const parent = here.filter(({ message_id }) => message_id === parentId)
  const others = [...replies.filter(({ message_id }) => !known.has(message_id)), ...here]
  const answers = others.filter(({ message_id }) => message_id !== parentId)
  const idOf = ({ message_id = Number.POSITIVE_INFINITY }: ChatMessage) => message_id
  return [
    ...parent,
    ...answers.sort((one, other) => (idOf(one) < idOf(other) ? -1 : idOf(one) > idOf(other) ? 1 : 0)),
  ]
}

/** By day, and within a day by sender. @param newAfter what comes after this one is new; undefined: nothing */
export function listedMessages(messages: readonly ChatMessage[], newAfter?: number): ListedMessage[] {
  const firstNew = messages.find(({ message_id = 0 }) => newAfter !== undefined && message_id > newAfter)
  const contents = new Map(
    messages.map(({ message_id, content, is_deleted }) => [message_id, is_deleted ? '' : content]),
  )
  return messages.map((message, at) => {
    const before = messages[at - 1]
    const beginsDay = !before || dayOf(before) !== dayOf(message)
    const beginsNew = message === firstNew
    const isNamed = beginsDay || beginsNew || !isOfSame(before, message) || !isSoonAfter(before, message)
    const { parent_message_id: parent } = message
    const answers = parent === null ? {} : { answers: contents.get(parent) ?? '' }
    return { key: keyOf(message), message, beginsDay, beginsNew, isNamed, ...answers }
  })
}

/** Guests all have the same `sender_id`. */
function isOfSame(one: ChatMessage, other: ChatMessage): boolean {
  return one.sender_id === other.sender_id && one.guest?.identity === other.guest?.identity
}

const SHORT = 60

/** The beginning of a text. */
export function inShort(text: string): string {
  const letters = [...text]
  return letters.length > SHORT ? `${letters.slice(0, SHORT).join('')} …` : text
}

function dayOf({ created_at }: ChatMessage): string {
  return new Date(created_at).toDateString()
}

function isSoonAfter(before: ChatMessage, { created_at }: ChatMessage): boolean {
  return Date.parse(created_at) - Date.parse(before.created_at) < TOGETHER_MS
}

/** The same before and after the office has given it an id. */
export function keyOf({ client_message_id, message_id }: ChatMessage): string {
  return client_message_id ?? String(message_id)
}
