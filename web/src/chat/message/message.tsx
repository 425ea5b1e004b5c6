import type { ChatMessage } from '@atrium/client/chat'
import { usePeople } from '@atrium/react'
import { useState } from 'react'
import { PersonName } from '../../shell/colleague/person-name.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useChatWords } from '../../words/chat.ts'
import { senderOf } from '../conversation-names.ts'
import type { ListedMessage } from '../message-groups.ts'
import { MessageItem } from '../message-item.tsx'
import { DeleteQuestion } from './delete-question.tsx'
import { clockTime, minuteTime } from './message-time.ts'
import { type MessageTools, useAllowed } from './message-tools.ts'
import { useOwnId } from './own-id.ts'
import { MessageToolbar } from './toolbar.tsx'
import { useToolbarShown } from './toolbar-shown.ts'
import './message.css'

interface MessageProps {
  listed: ListedMessage
  tools: MessageTools
  /** Tab leads to it; to the others arrow keys do. */
  isTabStop: boolean
  /** It was searched for. */
  isTarget: boolean
}

/** A message with its sender, and its tools while it is looked at. */
export function Message({ listed, tools, isTabStop, isTarget }: MessageProps) {
  const { message, isNamed, answers } = listed
  const { isShown, place, handlers } = useToolbarShown()
  const [asksDelete, setAsksDelete] = useState(false)
  const { isThere } = useAllowed(message, tools)
  const isEdited = tools.editing.id === message.message_id && isThere
  const sender = useSender(listed, tools)
  const ownId = useOwnId()
  const mentionsMe = isMentioned(message, ownId)
  return (
    <article
      ref={place}
      className={classNames(
        'message-place',
        isNamed && 'message-named',
        mentionsMe && 'message-mentions',
        isTarget && 'message-target',
      )}
      aria-label={sender.name}
      // its tools come with the focus
      tabIndex={isTabStop ? 0 : -1}
      {...handlers}
    >
      {isNamed && <Avatar id={sender.id} name={sender.name} url={sender.avatarUrl} />}
      {!isNamed && <MinuteOf at={message.created_at} />}
      <div className="message-text-place">
        {isNamed && <Head listed={listed} sender={sender} />}
        <MessageItem {...{ message, tools, answers }} isEdited={isEdited} />
      </div>
      {isShown && isThere && !isEdited && (
        <MessageToolbar {...{ message, tools }} onDelete={() => setAsksDelete(true)} />
      )}
      {asksDelete && (
        <DeleteQuestion
          conversation={tools.conversation}
          message={message}
          onClose={() => setAsksDelete(false)}
        />
      )}
    </article>
  )
}

function isMentioned({ mentions, mentionsRoom, sender_id }: ChatMessage, ownId: string | undefined): boolean {
  if (ownId === undefined || String(sender_id) === ownId) return false
  return mentionsRoom === true || mentions.includes(ownId)
}

function useSender({ message }: ListedMessage, { row }: MessageTools) {
  const words = useChatWords()
  const { people } = usePeople()
  const id = String(message.sender_id ?? '')
  return { id, ...senderOf(id, people, row, words, message.guest) }
}

function Head({
  listed: { message },
  sender,
}: {
  listed: ListedMessage
  sender: ReturnType<typeof useSender>
}) {
  const { id, name, isColleague } = sender
  const { created_at: at } = message
  return (
    <p className="message-head">
      <strong>{isColleague ? <PersonName userId={id} name={name} /> : name}</strong>{' '}
      <time dateTime={at}>{clockTime(at)}</time>
    </p>
  )
}

/** Beside a message that goes on with what its sender wrote before. */
function MinuteOf({ at }: { at: string }) {
  return (
    <time className="message-minute" dateTime={at}>
      {minuteTime(at)}
    </time>
  )
}
