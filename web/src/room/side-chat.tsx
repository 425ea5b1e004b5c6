import { useConversations, useRoomConversation } from '@atrium/react'
import { useState } from 'react'
import { useMentionables } from '../chat/composer/mentionables.ts'
import { Composer } from '../chat/composer.tsx'
import { useEditing } from '../chat/message/editing.ts'
import { MessageList } from '../chat/message-list.tsx'
import { Thread } from '../chat/thread.tsx'
import { Typing } from '../chat/typing.tsx'
import { useReading } from '../chat/use-reading.ts'
import { Loading } from '../ui/state.tsx'
import { useRoomWords } from '../words/room.ts'
import { SidePanel } from './side-panel.tsx'

/** What is written in the room, over the stage: as the chat shows it. */
export function SideChat({ roomId, guests, onClose }: { roomId: string; guests: number; onClose(): void }) {
  const { sideChat: words } = useRoomWords()
  const view = useRoomConversation(roomId)
  const { conversation, messages, loaded, hasOlder, refused } = view
  const row = useConversations().rows.find((one) => one.type === 'ROOM' && one.room_id === roomId)
  const editing = useEditing(messages)
  const members = useMentionables(row, messages)
  const reading = useReading(conversation, view)
  const [threadOf, setThreadOf] = useState<number>()
  return (
    <SidePanel
      title={words.title}
      closeLabel={words.close}
      keepsEscape={threadOf !== undefined}
      onClose={onClose}
    >
      {guests > 0 && <p className="side-chat-guests soft">{words.guestsRead}</p>}
      {loaded && conversation ? (
        <MessageList
          messages={messages}
          tools={{ conversation, row, editing, members, onThread: setThreadOf, onUnread: reading.markUnread }}
          onOlder={hasOlder ? () => conversation.loadOlder() : undefined}
          reading={reading}
        />
      ) : (
        <Opening isRefused={refused !== undefined} />
      )}
      <Typing userIds={view.typing} row={row} />
      <Composer
        draftKey={`room-${roomId}`}
        members={members}
        label={words.placeholder}
        autoFocus
        onEditLast={editing.beginLast}
        isReady={loaded && conversation !== undefined}
        onType={() => conversation?.tellTyping()}
        filesOf={conversation}
        onSend={(content, attachments) => void conversation?.send(content, { attachments })}
      />
      {threadOf !== undefined && conversation && (
        <Thread
          {...{ conversation, row, messages }}
          parentId={threadOf}
          onClose={() => setThreadOf(undefined)}
        />
      )}
    </SidePanel>
  )
}

/** As long as the conversation is not there, or cannot be. */
function Opening({ isRefused }: { isRefused: boolean }) {
  const { sideChat: words } = useRoomWords()
  return (
    <div className="side-chat-opening">
      {isRefused ? <p className="soft">{words.failed}</p> : <Loading label={words.loading} />}
    </div>
  )
}
