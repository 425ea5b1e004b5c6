import type { Conversation } from '@atrium/client/chat'
import { type UploadsView, useUploads } from '@atrium/react'
import { type ClipboardEvent, type RefObject, useCallback, useEffect, useRef } from 'react'
import { notices } from '../../ui/overlays/notices.ts'
import { useChatFilesWords } from '../../words/chat-files.ts'
import { takeDropped } from './take-dropped.ts'

/** What a composer does with files; of a conversation that takes none, `uploads` is undefined. */
export interface ComposerFiles extends UploadsView {
  /** Says how many find no place in a message. */
  add(files: readonly File[]): void
  /** Something is still on its way. */
  isBusy: boolean
  hasReady: boolean
  /** Of the form: what is pasted into it is taken, and what is dropped on the panel that it stands in. */
  handlers: { ref: RefObject<HTMLFormElement | null>; onPaste?(event: ClipboardEvent): void }
}

/** @param place where the message is written: its files wait there, as its text does */
export function useComposerFiles(conversation: Conversation | undefined, place: string): ComposerFiles {
  const { attach: label, leftOut } = useChatFilesWords()
  const view = useUploads(conversation, place)
  const { uploads } = view
  const add = useCallback(
    (files: readonly File[]) => {
      const count = uploads?.add(files) ?? 0
      if (count > 0) notices.show({ text: leftOut(count), tone: 'bad' })
    },
    [uploads, leftOut],
  )
  const ref = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const panel = ref.current?.closest<HTMLElement>('aside, section')
    return panel && uploads ? takeDropped(panel, { label, take: add }) : undefined
  }, [uploads, add, label])
  const onPaste = (event: ClipboardEvent) => {
    const { types, files: pasted } = event.clipboardData
    const files = [...pasted]
    // spreadsheets and word processors add a picture of the text: what is meant is the text
    if (files.length === 0 || types.includes('text/plain')) return
    event.preventDefault()
    add(files)
  }
  return {
    ...view,
    add,
    isBusy: view.list.some(({ state }) => state === 'uploading' || state === 'waiting'),
    hasReady: view.list.some(({ state }) => state === 'ready'),
    handlers: uploads ? { ref, onPaste } : { ref },
  }
}
