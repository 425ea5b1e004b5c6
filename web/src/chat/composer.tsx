import type { Attachment, Conversation } from '@atrium/client/chat'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useState } from 'react'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { useChatWords } from '../words/chat.ts'
import { AttachButtons, UploadList } from './attachments/composer-files.tsx'
import { useComposerFiles } from './attachments/use-composer-files.ts'
import { draftOf, keepDraft } from './drafts.ts'
import './conversation.css'

export interface ComposerProps {
  /** Under which what is typed is kept. */
  draftKey: string
  label: string
  onType(): void
  onSend(content: string, attachments: readonly Attachment[]): void
  /** Where files go; not given: it takes none. */
  filesOf?: Conversation | undefined
  autoFocus?: boolean
  /** False while the conversation opens: what is to be sent waits in the field. */
  isReady?: boolean
}

/** As the office takes it. */
const MAX = 4_000

/** Enter sends, Shift and Enter begin a line. */
export function Composer(props: ComposerProps) {
  const { draftKey, label, onType, onSend, autoFocus, filesOf, isReady: isOpen = true } = props
  const files = useComposerFiles(filesOf)
  const isReady = isOpen && !files.isBusy
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
    if (content === '' && files.list.length === 0) return
    setWaiting(!isReady)
    if (!isReady) return
    const attachments = files.uploads?.take() ?? []
    if (content === '' && attachments.length === 0) return
    type('')
    onSend(content, attachments)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it stands in the field by then
  useEffect(() => {
    if (isReady && isWaiting) send()
  }, [isReady, isWaiting])
  const onKeyDown = (event: KeyboardEvent) => {
    // an input method that is composing a character takes Enter for itself
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className={classNames('composer', filesOf && 'composer-with-files')}
      onSubmit={send}
      {...files.handlers}
    >
      {files.uploads && <UploadList uploads={files.uploads} list={files.list} />}
      {files.uploads && <AttachButtons uploads={files.uploads} />}
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <textarea
        id={id}
        rows={1}
        value={text}
        maxLength={MAX}
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
        isDisabled={text.trim() === '' && !files.hasReady && !files.isBusy}
        busy={isWaiting}
      />
    </form>
  )
}
