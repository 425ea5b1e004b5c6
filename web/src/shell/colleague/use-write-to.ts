import { useChat } from '@atrium/react'
import { useNavigate } from '@tanstack/react-router'
import { pagePaths } from '../../../page-paths.ts'
import { type Action, useAction } from '../../live/use-action.ts'

/**
 * Opens the conversation with a colleague, so that one may write at once.
 * @param beforeGoing closes what it was asked from: a dialog that is still open takes the focus from the field
 */
export function useWriteTo(userId: string, beforeGoing?: () => void): Action<[]> {
  const write = useWriting()
  return useAction(() => write(userId, beforeGoing))
}

/** The same for whichever colleague. Rejects as `openWith` does. */
export function useWriting(): (userId: string, beforeGoing?: () => void) => Promise<void> {
  const chat = useChat()
  const navigate = useNavigate()
  return async (userId, beforeGoing) => {
    const conversation = await chat?.openWith(userId)
    if (!conversation) return
    beforeGoing?.()
    await navigate({
      to: pagePaths.conversation,
      params: { conversationId: String(conversation.id) },
      state: { toWrite: true },
    })
  }
}
