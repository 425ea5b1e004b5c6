import type { ChatMessage, Conversation } from '@atrium/client/chat'
import { plainText } from '../../live/text/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { useChatWords } from '../../words/chat.ts'
import { inShort } from '../message-groups.ts'
import { useMentionName } from '../text/mention-name.ts'

interface DeleteQuestionProps {
  conversation: Conversation
  message: ChatMessage
  onClose(): void
}

/** Asks before a message is deleted: nothing keeps its text. */
export function DeleteQuestion({ conversation, message, onClose }: DeleteQuestionProps) {
  const { deletion: words, cancel } = useChatWords()
  const nameOf = useMentionName()
  const remove = () => {
    onClose()
    if (message.message_id !== undefined) void conversation.remove(message.message_id)
  }
  return (
    <Dialog title={words.title} isOpen alert onClose={onClose}>
      <blockquote className="message-quoted">{inShort(plainText(message.content, nameOf))}</blockquote>
      <p>{words.about}</p>
      <DialogButtons>
        <Button onPress={onClose}>{cancel}</Button>
        <Button look="danger" onPress={remove}>
          {words.remove}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
