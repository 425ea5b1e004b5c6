import type { Conversation, ConversationState } from '@atrium/client/chat'
import { useConversationChoices } from '@atrium/react'
import { useEffect, useRef, useState } from 'react'

export interface Reading {
  /** What comes after this message is new, until the conversation is left; undefined: nothing is. */
  newAfter: number | undefined
  /** What is on screen is read. */
  marksRead: boolean
  /** Marks as unread from a message on: until the conversation is opened again nothing of it is read. */
  markUnread(messageId: number): void
}

/** Up to where a conversation was read when it was opened, or when the page was left last. */
export function useReading(
  conversation: Conversation | undefined,
  { messages }: Pick<ConversationState, 'messages'>,
): Reading {
  const id = conversation?.id
  const { of, loaded, error } = useConversationChoices()
  const [opened, setOpened] = useState<{ id: number; after: number | undefined }>()
  const [unread, setUnread] = useState<{ id: number }>()
  const last = useRef(0)
  last.current = messages.findLast(({ message_id }) => message_id !== undefined)?.message_id ?? 0
  const isKnown = loaded || error !== undefined
  const isOpened = opened !== undefined && opened.id === id
  const choice = id === undefined ? undefined : of.get(id)
  useEffect(() => {
    if (id === undefined || !isKnown || isOpened) return
    const after = choice && choice.unread > 0 ? (choice.lastReadMessageId ?? 0) : undefined
    setOpened({ id, after })
  }, [id, isKnown, isOpened, choice])
  useEffect(() => {
    const leave = () => {
      if (document.visibilityState === 'hidden' && id !== undefined) setOpened({ id, after: last.current })
    }
    document.addEventListener('visibilitychange', leave)
    return () => document.removeEventListener('visibilitychange', leave)
  }, [id])
  return {
    newAfter: isOpened ? opened.after : undefined,
    marksRead: isOpened && unread?.id !== id,
    markUnread(messageId) {
      if (!conversation) return
      setOpened({ id: conversation.id, after: messageId - 1 })
      setUnread({ id: conversation.id })
      // what does not arrive is seen: the count in the list stays as it is
      conversation.markUnread(messageId).catch(() => {})
    },
  }
}
