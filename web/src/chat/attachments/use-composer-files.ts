import type { Conversation } from '@atrium/client/chat'
import { type UploadsView, useUploads } from '@atrium/react'
import { type ClipboardEvent, type RefObject, useEffect, useRef } from 'react'
import { useChatFilesWords } from '../../words/chat-files.ts'
import { takeDropped } from './take-dropped.ts'

/** What a composer does with files; of a conversation that takes none, `uploads` is undefined. */
export interface ComposerFiles extends UploadsView {
  /** Something is still on its way. */
  isBusy: boolean
  hasReady: boolean
  /** Of the form: what is pasted into it is taken, and what is dropped on the panel that it stands in. */
  handlers: { ref: RefObject<HTMLFormElement | null>; onPaste?(event: ClipboardEvent): void }
}

export function useComposerFiles(conversation: Conversation | undefined): ComposerFiles {
  const { attach: label } = useChatFilesWords()
  const view = useUploads(conversation)
  const { uploads } = view
  const ref = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const panel = ref.current?.closest<HTMLElement>('aside, section')
    return panel && uploads ? takeDropped(panel, { label, take: uploads.add }) : undefined
  }, [uploads, label])
  const onPaste = (event: ClipboardEvent) => {
    const { types, files: pasted } = event.clipboardData
    const files = [...pasted]
    // spreadsheets and word processors add a picture of the text: what is meant is the text
    if (files.length === 0 || types.includes('text/plain')) return
    event.preventDefault()
    uploads?.add(files)
  }
  return {
    ...view,
    isBusy: view.list.some(({ state }) => state === 'uploading' || state === 'waiting'),
    hasReady: view.list.some(({ state }) => state === 'ready'),
    handlers: uploads ? { ref, onPaste } : { ref },
  }
}
