import type { ChatMessage, Conversation } from '@atrium/client/chat'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { useChatWords } from '../words/chat.ts'
import { isNamesOnly, MessageFiles } from './attachments/message-files.tsx'
import { textParts } from './message-groups.ts'
import { unsentSentence } from './unsent-sentence.ts'

interface MessageItemProps {
  conversation: Conversation
  message: ChatMessage
  /** What it answers, in short: shown where it stands beside other messages. */
  answers?: string | undefined
  onThread?: ((messageId: number) => void) | undefined
}

export function MessageItem({ conversation, message, answers, onThread }: MessageItemProps) {
  const words = useChatWords()
  const { message_id, parent_message_id: parent, state, reply_count, is_deleted, content } = message
  return (
    <div className={classNames('message', state !== 'sent' && 'message-unsent')}>
      {onThread && parent !== null && answers !== undefined && (
        <button type="button" className="message-answers" onClick={() => onThread(parent)}>
          {answers === '' ? words.isReply : words.isReplyTo(answers)}
        </button>
      )}
      <MessageFiles {...{ conversation, message }} />
      <p className="message-text" hidden={isNamesOnly(message)}>
        {is_deleted ? (
          <em className="soft">{words.deleted}</em>
        ) : (
          textParts(content).map(({ text, href }, at) =>
            href ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their order
              <a key={at} href={href} target="_blank" rel="noreferrer noopener">
                {text}
              </a>
            ) : (
              text
            ),
          )
        )}
      </p>
      <Unsent conversation={conversation} message={message} />
      {onThread && message_id !== undefined && parent === null && !is_deleted && (
        <Button
          small
          look="quiet"
          onPress={() => onThread(message_id)}
          {...(reply_count === 0 && { 'aria-label': words.replyTo(content.slice(0, 60)) })}
        >
          {reply_count > 0 ? words.replies(reply_count) : words.reply}
        </Button>
      )}
    </div>
  )
}

/** What became of a message that is not there yet. */
function Unsent({ conversation, message }: Pick<MessageItemProps, 'conversation' | 'message'>) {
  const words = useChatWords()
  const { state, client_message_id = '' } = message
  const again = useAction(async () => await conversation.resend(client_message_id))
  if (state === 'sent') return null
  return (
    <p className="message-state" role={state === 'refused' ? 'alert' : undefined}>
      {unsentSentence(message, words)}{' '}
      {state !== 'sending' && (
        <Button small look="quiet" busy={again.busy} onPress={() => void again.run()}>
          {words.sendAgain}
        </Button>
      )}
      {state === 'refused' && (
        <Button small look="quiet" onPress={() => void conversation.discard(client_message_id)}>
          {words.discard}
        </Button>
      )}
    </p>
  )
}
