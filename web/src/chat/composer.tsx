import type { Attachment, Conversation } from '@atrium/client/chat'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { useChatWords } from '../words/chat.ts'
import { AttachButtons, UploadList } from './attachments/composer-files.tsx'
import { useComposerFiles } from './attachments/use-composer-files.ts'
import { charactersOver } from './composer/characters-over.ts'
import { ComposerTools } from './composer/composer-tools.tsx'
import { MentionList } from './composer/mention-list.tsx'
import { useMentionPicker } from './composer/mention-picker.ts'
import { isSendKey } from './composer/send-key.ts'
import { SharedDraft } from './composer/shared-draft.tsx'
import { type Mentionable, withIds, withNames } from './composer/stored-mentions.ts'
import { TooLong } from './composer/too-long.tsx'
import { draftOf, keepDraft } from './drafts.ts'
import './conversation.css'

export interface ComposerProps {
  /** Under which what is typed is kept. */
  draftKey: string
  /** Keeps it for all devices as well. */
  draftOfConversation?: number | undefined
  label: string
  /** Whom one can mention. */
  members?: readonly Mentionable[]
  onType(): void
  onSend(content: string, attachments: readonly Attachment[]): void
  /** The arrow up in an empty field. */
  onEditLast?: (() => void) | undefined
  /** Further tools below the field. */
  tools?: ReactNode
  /** The conversation that takes files; not given: none does. */
  filesOf?: Conversation | undefined
  autoFocus?: boolean
  /** False while the conversation opens: what is to be sent waits in the field. */
  isReady?: boolean
}

const NOBODY: readonly Mentionable[] = []

/** Enter sends, Shift and Enter begin a line. */
export function Composer(props: ComposerProps) {
  const { label, members = NOBODY, draftOfConversation, filesOf } = props
  const words = useChatWords()
  const id = useId()
  const files = useComposerFiles(filesOf, props.draftKey)
  const writing = useWriting(props)
  const { area, type, stored, onText } = writing
  const { send, isWaiting, maySend } = useSending(props, writing, files)
  return (
    <form
      className={classNames('composer', filesOf && 'composer-with-files')}
      onSubmit={send}
      {...files.handlers}
    >
      {files.uploads && <UploadList uploads={files.uploads} list={files.list} />}
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      {draftOfConversation !== undefined && (
        <SharedDraft
          conversationId={draftOfConversation}
          content={stored}
          onOther={(content) => type(withNames(content, members))}
        />
      )}
      <MentionList id={`${id}-mentions`} picker={writing.picker} />
      <TooLong text={stored.trim()} />
      <div className="composer-box">
        <Field {...{ id, props, writing, send }} />
        <div className="composer-row">
          <ComposerTools area={area} hasMentions={members.length > 0} onText={onText}>
            {files.uploads && <AttachButtons onAdd={files.add} />}
            {props.tools}
          </ComposerTools>
          <span id={`${id}-keys`} className="composer-keys">
            {words.keys}
          </span>
          <IconButton
            type="submit"
            icon="send"
            look="primary"
            label={words.send}
            isDisabled={!maySend}
            busy={isWaiting}
          />
        </div>
      </div>
    </form>
  )
}

type Writing = ReturnType<typeof useWriting>

/** What is typed: with names in the field, with ids where it is kept and sent. */
function useWriting({ draftKey, onType, members = NOBODY }: ComposerProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(() => draftOf(draftKey))
  const [chosen, setChosen] = useState<readonly Mentionable[]>([])
  const stored = withIds(text, [...chosen, ...members])
  const type = (next: string) => {
    setText(next)
    keepDraft(draftKey, next)
  }
  const onChosen = (member: Mentionable) => setChosen([member, ...chosen])
  const picker = useMentionPicker({ area, members, onText: type, onChosen })
  const onText = (next: string) => {
    type(next)
    picker.look()
    onType()
  }
  return { area, text, type, stored, picker, onText }
}

/** Sends what is in the field, at once or as soon as conversation and files are ready. */
function useSending(
  { onSend, isReady: isOpen = true }: ComposerProps,
  { stored, type }: Writing,
  files: ReturnType<typeof useComposerFiles>,
) {
  const isReady = isOpen && !files.isBusy
  const [isWaiting, setWaiting] = useState(false)
  const content = stored.trim()
  const isTooLong = charactersOver(content) > 0
  const send = (event?: FormEvent) => {
    event?.preventDefault()
    if ((content === '' && files.list.length === 0) || isTooLong) return
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
  const maySend = !isTooLong && (content !== '' || files.hasReady || files.isBusy)
  return { send, isWaiting, maySend }
}

interface FieldProps {
  id: string
  props: ComposerProps
  writing: Writing
  send(): void
}

function Field({ id, props, writing, send }: FieldProps) {
  const { label, onEditLast, autoFocus, members = NOBODY } = props
  const { area, text, picker, onText } = writing
  const onKeyDown = (event: KeyboardEvent) => {
    if (picker.onKey(event)) return
    if (event.key === 'ArrowUp' && text === '' && onEditLast) {
      event.preventDefault()
      onEditLast()
    }
    if (!isSendKey(event)) return
    event.preventDefault()
    send()
  }
  return (
    <textarea
      ref={area}
      id={id}
      rows={1}
      value={text}
      placeholder={label}
      autoComplete="off"
      // biome-ignore lint/a11y/noAutofocus: of a panel that was opened to write in
      autoFocus={autoFocus === true}
      aria-describedby={`${id}-keys`}
      aria-autocomplete={members.length > 0 ? 'list' : undefined}
      aria-controls={picker.found.length > 0 ? `${id}-mentions` : undefined}
      aria-activedescendant={picker.found.length > 0 ? `${id}-mentions-${picker.at}` : undefined}
      onKeyDown={onKeyDown}
      onBlur={picker.close}
      onChange={({ target }) => onText(target.value)}
    />
  )
}
