import { useChat, useThreads } from '@atrium/react'
import { useEffect, useState } from 'react'

/** Whether the person follows a thread; undefined while it is not known. */
export function useFollows(messageId: number): boolean | undefined {
  const chat = useChat()
  const { list, loaded } = useThreads()
  const isListed = list.some(({ message }) => message.message_id === messageId)
  const [found, setFound] = useState<{ list: typeof list; follows: boolean }>()
  useEffect(() => {
    if (!chat || !loaded || isListed) return undefined
    let isWanted = true
    // the list has the newest hundred
    chat.thread(messageId).then(
      (thread) => isWanted && setFound({ list, follows: thread.follows ?? false }),
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [chat, messageId, list, loaded, isListed])
  if (isListed) return true
  return found?.list === list ? found.follows : undefined
}
