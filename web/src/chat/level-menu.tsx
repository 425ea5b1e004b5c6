import { useChat, useConversationChoices } from '@atrium/react'
import { useAction } from '../live/use-action.ts'
import { Menu } from '../ui/overlays/menu.tsx'
import { MenuButton } from '../ui/overlays/menu-button.tsx'
import { useChatWords } from '../words/chat.ts'

const LEVELS = ['all', 'mentions', 'none'] as const

/** Which messages of a conversation are announced. */
export function LevelMenu({ conversationId }: { conversationId: number }) {
  const { levels: words } = useChatWords()
  const chat = useChat()
  const level = useConversationChoices().of.get(conversationId)?.level ?? 'all'
  const choose = useAction(
    async (next: (typeof LEVELS)[number]) => await chat?.setLevel(conversationId, next),
  )
  return (
    <Menu
      label={words.label}
      trigger={
        <MenuButton icon={level === 'none' ? 'moon' : 'signal'} label={words.now[level]} busy={choose.busy} />
      }
      entries={LEVELS.map((one) => ({
        id: one,
        label: words.names[one],
        ...(one === level && { icon: 'check' as const, about: words.chosen }),
        onAction: () => void choose.run(one),
      }))}
    />
  )
}
