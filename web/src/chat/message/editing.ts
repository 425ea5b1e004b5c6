import type { ChatMessage } from '@atrium/client/chat'
import { useState } from 'react'
import { useOwnId } from './own-id.ts'

/** Which message of a list is being changed. */
export interface Editing {
  id: number | undefined
  begin(messageId: number): void
  /** Begins with the newest of one's own. */
  beginLast(): void
  end(): void
}

export function useEditing(messages: readonly ChatMessage[]): Editing {
  const ownId = useOwnId()
  const [id, setId] = useState<number>()
  return {
    id,
    begin: setId,
    beginLast: () => setId(lastOwn(messages, ownId)),
    end: () => setId(undefined),
  }
}

/** The newest message of a person; undefined as long as the office has not got that one. */
export function lastOwn(
  messages: readonly Pick<ChatMessage, 'message_id' | 'is_deleted' | 'sender_id'>[],
  ownId: string | undefined,
): number | undefined {
  return messages.findLast(
    ({ message_id, is_deleted, sender_id }) =>
      message_id === undefined || (!is_deleted && String(sender_id) === ownId),
  )?.message_id
}
