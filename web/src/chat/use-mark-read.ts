import type { ConversationView } from '@atrium/react'
import { useEffect } from 'react'

/** What is shown in a window that is looked at is read. */
export function useMarkRead({ conversation, messages }: ConversationView): void {
  const last = messages.findLast(({ message_id }) => message_id !== undefined)?.message_id
  useEffect(() => {
    if (!conversation || last === undefined) return undefined
    let marked = false
    const mark = () => {
      if (marked || document.visibilityState !== 'visible') return
      marked = true
      conversation.markRead().catch(() => {
        marked = false
      })
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [conversation, last])
}
