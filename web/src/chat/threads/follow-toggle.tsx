import { useChat } from '@atrium/react'
import { useAction } from '../../live/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/state.tsx'
import { useChatWords } from '../../words/chat.ts'
import { useFollows } from './use-follows.ts'

/** Whether replies in a thread are announced, and the other way. */
export function FollowToggle({ parentId }: { parentId: number }) {
  const { follow: words } = useChatWords()
  const chat = useChat()
  const follows = useFollows(parentId)
  const change = useAction(async (next: boolean) => await chat?.followThread(parentId, next))
  if (follows === undefined) return null
  return (
    <>
      <Problem>{change.problem}</Problem>
      <Button
        small
        look="quiet"
        icon={follows ? 'check' : 'signal'}
        busy={change.busy}
        aria-pressed={follows}
        title={follows ? words.onAbout : words.offAbout}
        onPress={() => void change.run(!follows)}
      >
        {words.on}
      </Button>
    </>
  )
}
