import { type FormEvent, type KeyboardEvent, useEffect, useId, useState } from 'react'
import { IconButton } from '../ui/button.tsx'
import { useChatWords } from '../words/chat.ts'
import { draftOf, keepDraft } from './drafts.ts'
import './conversation.css'

export interface ComposerProps {
  /** Under which what is typed is kept. */
  draftKey: string
  label: string
  onType(): void
  onSend(content: string): void
  /** The arrow up in an empty field. */
  onEditLast?: (() => void) | undefined
  autoFocus?: boolean
  /** False while the conversation opens: what is to be sent waits in the field. */
  isReady?: boolean
}

/** As the office takes it. */
export const CONTENT_MAX = 4_000

/** Enter sends; an input method that is composing a character takes it for itself. */
export function isSendKey({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing
}

/** Enter sends, Shift and Enter begin a line. */
export function Composer(props: ComposerProps) {
  const { draftKey, label, onType, onSend, onEditLast, autoFocus, isReady = true } = props
  const words = useChatWords()
  const id = useId()
  const [text, setText] = useState(() => draftOf(draftKey))
  const [isWaiting, setWaiting] = useState(false)
  const type = (next: string) => {
    setText(next)
    keepDraft(draftKey, next)
  }
  const send = (event?: FormEvent) => {
    event?.preventDefault()
    const content = text.trim()
    if (content === '') return
    setWaiting(!isReady)
    if (!isReady) return
    type('')
    onSend(content)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it stands in the field by then
  useEffect(() => {
    if (isReady && isWaiting) send()
  }, [isReady, isWaiting])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp' && text === '' && onEditLast) {
      event.preventDefault()
      onEditLast()
    }
    if (!isSendKey(event)) return
    event.preventDefault()
    send()
  }
  return (
    <form className="composer" onSubmit={send}>
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <textarea
        id={id}
        rows={1}
        value={text}
        maxLength={CONTENT_MAX}
        placeholder={label}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: of a panel that was opened to write in
        autoFocus={autoFocus === true}
        aria-describedby={`${id}-keys`}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          type(target.value)
          onType()
        }}
      />
      <span id={`${id}-keys`} className="visually-hidden">
        {words.keys}
      </span>
      <IconButton
        type="submit"
        icon="send"
        look="primary"
        label={words.send}
        isDisabled={text.trim() === ''}
        busy={isWaiting}
      />
    </form>
  )
}
