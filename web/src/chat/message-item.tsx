import type { ChatMessage } from '@atrium/client/chat'
import { useThreads } from '@atrium/react'
import { plainText } from '../live/text/plain-text.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { useChatWords } from '../words/chat.ts'
import { localeNow } from '../words/language.ts'
import { isNamesOnly, MessageFiles } from './attachments/message-files.tsx'
import { EditField } from './message/edit-field.tsx'
import type { MessageTools } from './message/message-tools.ts'
import { Reactions } from './message/reactions.tsx'
import { inShort } from './message-groups.ts'
import { FormattedText } from './text/formatted-text.tsx'
import { useMentionName } from './text/mention-name.ts'
import { Count } from './threads/count.tsx'
import { changeSentence, unsentSentence } from './unsent-sentence.ts'

interface MessageItemProps {
  message: ChatMessage
  tools: MessageTools
  /** What it answers: shown in short where it stands beside other messages. */
  answers?: string | undefined
  /** Its text is being changed. */
  isEdited: boolean
}

export function MessageItem({ message, tools, answers, isEdited }: MessageItemProps) {
  const words = useChatWords()
  const { conversation, row, isClosed = false, onThread } = tools
  const nameOf = useMentionName()
  const { message_id, parent_message_id: parent, state, reply_count, is_deleted } = message
  return (
    <div className={classNames('message', state !== 'sent' && 'message-unsent')}>
      {onThread && parent !== null && answers !== undefined && (
        <button type="button" className="message-answers" onClick={() => onThread(parent)}>
          {answers === '' ? words.isReply : words.isReplyTo(inShort(plainText(answers, nameOf)))}
        </button>
      )}
      <MessageFiles {...{ conversation, message }} />
      {isEdited && <EditField {...{ tools, message }} />}
      {!isEdited && !isNamesOnly(message) && <Text message={message} />}
      {!is_deleted && <Reactions {...{ conversation, row, isClosed, message }} />}
      <Pending {...{ message, tools }} />
      {onThread && message_id !== undefined && parent === null && reply_count > 0 && (
        <Replies count={reply_count} messageId={message_id} onPress={() => onThread(message_id)} />
      )}
    </div>
  )
}

function Replies({ count, messageId, onPress }: { count: number; messageId: number; onPress(): void }) {
  const words = useChatWords()
  const thread = useThreads().list.find(({ message }) => message.message_id === messageId)
  return (
    <Button small look="quiet" onPress={onPress}>
      {words.replies(count)}{' '}
      {thread && thread.unread > 0 && <Count of={thread.unread} says={words.threads.unread(thread.unread)} />}
    </Button>
  )
}

function Text({ message: { content, is_deleted, is_edited, editedAt } }: { message: ChatMessage }) {
  const words = useChatWords()
  if (is_deleted)
    return (
      <p className="message-text">
        <em className="soft">{words.deleted}</em>
      </p>
    )
  return (
    <div className="message-text">
      <FormattedText text={content} />
      {is_edited && <Edited at={editedAt} />}
    </div>
  )
}

/** When it was changed; unknown for a moment, while the change is on its way. */
function Edited({ at }: { at: string | null }) {
  const words = useChatWords()
  const form = new Intl.DateTimeFormat(localeNow(), { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <span className="message-edited">
      {' '}
      {at === null ? (
        words.edited
      ) : (
        <time dateTime={at} title={form.format(new Date(at))}>
          {words.edited}
        </time>
      )}
    </span>
  )
}

/** What became of a message, or of a change of it, that the office has not taken yet. */
function Pending({ message, tools }: Pick<MessageItemProps, 'message' | 'tools'>) {
  const words = useChatWords()
  const { conversation } = tools
  const { state, client_message_id = '', change } = message
  const id = state === 'sent' ? (change?.id ?? '') : client_message_id
  const now = state === 'sent' ? (change?.state ?? 'sent') : state
  const again = useAction(async () => await conversation.resend(id))
  // a change that is on its way is shown as made
  if (now === 'sent' || (change && now === 'sending')) return null
  return (
    <p className="message-state" role={now === 'refused' ? 'alert' : undefined}>
      {state === 'sent' && change ? changeSentence(change, words) : unsentSentence(message, words)}{' '}
      {now !== 'sending' && (
        <Button small look="quiet" busy={again.busy} onPress={() => void again.run()}>
          {words.sendAgain}
        </Button>
      )}
      {now === 'refused' && (
        <Button small look="quiet" onPress={() => void conversation.discard(id)}>
          {change ? words.dropChange : words.discard}
        </Button>
      )}
    </p>
  )
}
