import type { ChatMessage } from '@atrium/client/chat'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useChatWords } from '../../words/chat.ts'
import { charactersOver } from '../composer/characters-over.ts'
import { isSendKey } from '../composer/send-key.ts'
import { withIds, withNames } from '../composer/stored-mentions.ts'
import { TooLong } from '../composer/too-long.tsx'
import { editOf, forgetEdit, keepEdit } from './kept-edit.ts'
import type { MessageTools } from './message-tools.ts'

interface EditFieldProps {
  tools: MessageTools
  message: ChatMessage
}

/** The text of a message while it is changed: Enter saves, Escape leaves it as it was. It is kept over another screen. */
export function EditField(props: EditFieldProps) {
  const { editing: words, cancel } = useChatWords()
  const { field, text, type, content, isTooLong, save, end } = useChange(props)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // the thread or the panel that it stands in stays open
      event.stopPropagation()
      end()
    } else if (isSendKey(event)) {
      event.preventDefault()
      save()
    }
  }
  return (
    <form className="message-edit" onSubmit={save}>
      <textarea
        ref={field}
        aria-label={words.label}
        rows={1}
        value={text}
        onKeyDown={onKeyDown}
        onChange={({ target }) => type(target.value)}
      />
      <TooLong text={content} />
      <p className="small soft">{words.keys}</p>
      <div className="message-edit-buttons">
        <Button small onPress={end}>
          {cancel}
        </Button>
        <Button small type="submit" look="primary" isDisabled={content === '' || isTooLong}>
          {words.save}
        </Button>
      </div>
    </form>
  )
}

function useChange({ tools, message }: EditFieldProps) {
  const { conversation, members, editing } = tools
  const { message_id: id = 0 } = message
  const original = withNames(message.content, members)
  const [text, setText] = useState(() => editOf(id, original))
  const field = useRef<HTMLTextAreaElement>(null)
  const end = useFocusBack(field, () => {
    forgetEdit(id)
    editing.end()
  })
  const type = (next: string) => {
    setText(next)
    keepEdit(id, next, original)
  }
  const content = withIds(text, members).trim()
  const isTooLong = charactersOver(content) > 0
  const save = (event?: FormEvent) => {
    event?.preventDefault()
    if (content === '' || isTooLong) return
    if (content !== message.content && message.message_id !== undefined)
      void conversation.edit(message.message_id, content)
    end()
  }
  return { field, text, type, content, isTooLong, save, end }
}

/** Takes the focus, to the end of the text, and gives it back: to what had it, or to the message. */
function useFocusBack(field: { current: HTMLTextAreaElement | null }, onEnd: () => void): () => void {
  const before = useRef<Element | null>(null)
  useEffect(() => {
    const area = field.current
    before.current = document.activeElement
    area?.focus()
    area?.setSelectionRange(area.value.length, area.value.length)
  }, [field])
  return () => {
    const message = field.current?.closest('article')
    const back = before.current?.isConnected && before.current !== document.body ? before.current : message
    onEnd()
    if (back instanceof HTMLElement) back.focus()
  }
}
