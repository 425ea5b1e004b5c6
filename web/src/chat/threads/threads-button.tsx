import { useThreads } from '@atrium/react'
import { Button } from '../../ui/button.tsx'
import { useChatWords } from '../../words/chat.ts'
import { Count } from './count.tsx'

/** Shows the threads, or the conversations again; how many replies are not read. */
export function ThreadsButton({ isShown, onPress }: { isShown: boolean; onPress(): void }) {
  const { threads: words } = useChatWords()
  const { unread } = useThreads()
  return (
    <Button small look="quiet" icon="reply" aria-pressed={isShown} onPress={onPress}>
      {words.title} {unread > 0 && <Count of={unread} says={words.unread(unread)} />}
    </Button>
  )
}
