import { Suspense } from 'react'
import { lazyPart } from '../../live/page/patient-import.ts'
import { MenuButton } from '../../ui/overlays/menu-button.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import { Loading } from '../../ui/state.tsx'
import { useChatWords } from '../../words/chat.ts'

/** The list is loaded when it is opened first. */
const EmojiPicker = lazyPart(() => import('./emoji-picker.tsx'), 'EmojiPicker')

/** Opens the list of emoji. */
export function EmojiButton({ label, onChosen }: { label: string; onChosen(emoji: string): void }) {
  const { emoji: words } = useChatWords()
  return (
    <Popover label={words.all} placement="top end" trigger={<MenuButton icon="smile" label={label} />}>
      {({ close }) => (
        <Suspense fallback={<Loading label={words.loading} />}>
          <EmojiPicker
            onChosen={(emoji) => {
              close()
              onChosen(emoji)
            }}
          />
        </Suspense>
      )}
    </Popover>
  )
}
