import { useChat } from '@atrium/react'
import { useNavigate } from '@tanstack/react-router'
import { pagePaths } from '../../../page-paths.ts'
import { type Action, useAction } from '../../live/use-action.ts'

/** Opens the conversation with a colleague, so that one may write at once. */
export function useWriteTo(userId: string): Action<[]> {
  const write = useWriting()
  return useAction(() => write(userId))
}

/** The same for whichever colleague. Rejects as `openWith` does. */
export function useWriting(): (userId: string) => Promise<void> {
  const chat = useChat()
  const navigate = useNavigate()
  return async (userId) => {
    const conversation = await chat?.openWith(userId)
    if (!conversation) return
    await navigate({
      to: pagePaths.conversation,
      params: { conversationId: String(conversation.id) },
      state: { toWrite: true },
    })
  }
}
