import type { Conversation } from '@atrium/client/chat'
import { useEffect } from 'react'

/** Marks as read what was on screen in a window that is looked at. The outbox tells it until the office has it. */
export function useMarkRead(conversation: Conversation, seen: number | undefined): void {
  useEffect(() => {
    if (seen === undefined) return undefined
    const mark = () => {
      if (document.visibilityState === 'visible' && document.hasFocus()) void conversation.markRead(seen)
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    addEventListener('focus', mark)
    return () => {
      document.removeEventListener('visibilitychange', mark)
      removeEventListener('focus', mark)
    }
  }, [conversation, seen])
}
