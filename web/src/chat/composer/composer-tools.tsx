import type { ReactNode, RefObject } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { useChatWords } from '../../words/chat.ts'
import { EmojiButton } from '../emoji/emoji-button.tsx'

interface ComposerToolsProps {
  area: RefObject<HTMLTextAreaElement | null>
  hasMentions: boolean
  /** What the field says now. */
  onText(text: string): void
  /** Further tools, before the others: of what else can be sent. */
  children?: ReactNode
}

/** Below the field: what it can hold beside plain words. */
export function ComposerTools({ area, hasMentions, onText, children }: ComposerToolsProps) {
  const { composer: words } = useChatWords()
  const put = (text: (selected: string) => string) => {
    const field = area.current
    if (!field) return
    const { selectionStart: from, selectionEnd: to, value } = field
    field.setRangeText(text(value.slice(from, to)), from, to, 'end')
    field.focus()
    onText(field.value)
  }
  return (
    <div className="composer-tools">
      {children}
      {hasMentions && <IconButton icon="at" label={words.mention} onPress={() => put(() => '@')} />}
      <IconButton icon="code" label={words.code} onPress={() => put(asCode)} />
      <EmojiButton label={words.emoji} onChosen={(emoji) => put(() => emoji)} />
    </div>
  )
}

/** Several lines are a block. */
function asCode(selected: string): string {
  return selected.includes('\n') ? `\`\`\`\n${selected}\n\`\`\`` : `\`${selected}\``
}
