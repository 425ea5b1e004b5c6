import type { Conversation } from '@atrium/client/chat'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** A message to show, and which time: the same one may be asked for again. */
export interface Target {
  messageId: number
  key: string
}

/** The message that the address leads to, once it is read. @param isLoaded the newest ones are */
export function useTarget(conversation: Conversation | undefined, isLoaded: boolean): Target | undefined {
  const { state } = useLocation()
  const { message: messageId, key = '' } = state
  const [target, setTarget] = useState<Target>()
  const isThere = target?.key === key
  useEffect(() => {
    if (!conversation || !isLoaded || messageId === undefined || isThere) return
    conversation.showAround(messageId).then(
      () => setTarget({ messageId, key }),
      // it is gone meanwhile: the newest ones are shown
      () => {},
    )
  }, [conversation, isLoaded, messageId, key, isThere])
  return target
}
