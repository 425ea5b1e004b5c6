import type { Conversation, Uploads } from '@atrium/client/chat'
import { type UploadsView, useUploads } from '@atrium/react'
import type { ClipboardEvent, DragEvent } from 'react'

/** What a composer does with files; of a conversation that takes none, `uploads` is undefined. */
export interface ComposerFiles extends UploadsView {
  /** Something is still on its way. */
  isBusy: boolean
  hasReady: boolean
  /** Of the form: what is pasted into it and dropped on it. */
  handlers: {
    onPaste?(event: ClipboardEvent): void
    onDragOver?(event: DragEvent): void
    onDrop?(event: DragEvent): void
  }
}

export function useComposerFiles(conversation: Conversation | undefined): ComposerFiles {
  const view = useUploads(conversation)
  return {
    ...view,
    isBusy: view.list.some(({ state }) => state === 'uploading' || state === 'waiting'),
    hasReady: view.list.some(({ state }) => state === 'ready'),
    handlers: view.uploads ? handlersOf(view.uploads) : {},
  }
}

function handlersOf(uploads: Uploads): ComposerFiles['handlers'] {
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer | null) => {
    const files = [...(data?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    uploads.add(files)
  }
  return {
    onPaste: (event) => take(event, event.clipboardData),
    onDragOver(event) {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault()
    },
    onDrop: (event) => take(event, event.dataTransfer),
  }
}
