import { useChat } from '@atrium/react'
import { useNavigate } from '@tanstack/react-router'
import { pagePaths } from '../../../page-paths.ts'
import { type Action, useAction } from '../../live/use-action.ts'

/** Opens the conversation with a colleague. */
export function useWriteTo(userId: string): Action<[]> {
  const chat = useChat()
  const navigate = useNavigate()
  return useAction(async () => {
    const conversation = await chat?.openWith(userId)
    if (!conversation) return
    await navigate({
      to: pagePaths.conversation,
      params: { conversationId: String(conversation.id) },
      state: { toWrite: true },
    })
  })
}
