import type { ChatMessage } from '@atrium/client/chat'
import { IconButton } from '../../ui/button.tsx'
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx'
import { MenuButton } from '../../ui/overlays/menu-button.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { useChatWords } from '../../words/chat.ts'
import { EmojiButton } from '../emoji/emoji-button.tsx'
import { QUICK_EMOJI } from '../emoji/find-emoji.ts'
import { type MessageTools, useAllowed } from './message-tools.ts'

interface MessageToolbarProps {
  message: ChatMessage
  tools: MessageTools
  /** Asks whether to delete it. */
  onDelete(): void
}

/** What can be done with a message. Arrow keys lead from one button to the next. */
export function MessageToolbar({ message, tools, onDelete }: MessageToolbarProps) {
  const { tools: words } = useChatWords()
  const { conversation, editing, onThread } = tools
  const may = useAllowed(message, tools)
  const { message_id: id = 0, parent_message_id: parent, reactions } = message
  const entries = useEntries(message, tools)
  const isMine = (emoji: string) => reactions.some((one) => one.emoji === emoji && one.mine)
  const react = (emoji: string) => void conversation.react(id, emoji, !isMine(emoji))
  return (
    <Toolbar label={words.label} className="message-tools">
      {may.react &&
        QUICK_EMOJI.map((emoji) => (
          <button
            key={emoji}
            type="button"
            className="button button-icon button-quiet"
            aria-label={words.reactWith(emoji)}
            aria-pressed={isMine(emoji)}
            onClick={() => react(emoji)}
          >
            {emoji}
          </button>
        ))}
      {may.react && <EmojiButton label={words.react} onChosen={react} />}
      {onThread && <IconButton icon="reply" label={words.thread} onPress={() => onThread(parent ?? id)} />}
      {may.edit && <IconButton icon="edit" label={words.edit} onPress={() => editing.begin(id)} />}
      {may.remove && <IconButton icon="trash" label={words.remove} onPress={onDelete} />}
      <Menu label={words.more} trigger={<MenuButton icon="more" label={words.more} />} entries={entries} />
    </Toolbar>
  )
}

function useEntries({ message_id: id = 0, content }: ChatMessage, { onUnread }: MessageTools): MenuEntry[] {
  const { tools: words } = useChatWords()
  const copy: MenuEntry = {
    id: 'copy',
    icon: 'copy',
    label: words.copy,
    onAction: () => void navigator.clipboard.writeText(content).catch(() => {}),
  }
  if (!onUnread) return [copy]
  return [{ id: 'unread', icon: 'signal', label: words.unread, onAction: () => onUnread(id) }, copy]
}
