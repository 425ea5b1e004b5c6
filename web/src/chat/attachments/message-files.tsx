import type { Attachment, ChatMessage, Conversation } from '@atrium/client/chat'
import { useEffect, useState } from 'react'
import { useAction } from '../../live/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { useChatFilesWords } from '../../words/chat-files.ts'
import { fileSize } from './file-size.ts'
import './attachments.css'

interface FileProps {
  conversation: Conversation
  file: Attachment
}

/** Of a message. */
const TEXT_MAX = 4_000

/** Whether a message says nothing but the names of its files: the files say it. */
export function isNamesOnly({ content, attachments }: Pick<ChatMessage, 'content' | 'attachments'>): boolean {
  if (attachments.length === 0) return false
  return (
    content === '' ||
    content ===
      attachments
        .map(({ name }) => name)
        .join(', ')
        .slice(0, TEXT_MAX)
  )
}

/** The files of a message: pictures as they look, others as rows. */
export function MessageFiles({
  conversation,
  message,
}: {
  conversation: Conversation
  message: ChatMessage
}) {
  if (message.attachments.length === 0) return null
  return (
    <div className="files">
      {message.attachments.map((file) =>
        file.width === undefined ? (
          <FileRow key={file.id} {...{ conversation, file }} />
        ) : (
          <Picture key={file.id} {...{ conversation, file }} />
        ),
      )}
    </div>
  )
}

function FileRow({ conversation, file }: FileProps) {
  const words = useChatFilesWords()
  const keep = useAction(async () => keepFile(await conversation.addressOf(file.id)))
  return (
    <div className="file">
      <Button
        look="quiet"
        busy={keep.busy}
        aria-label={words.keep(file.name)}
        onPress={() => void keep.run()}
      >
        <Icon name="file" /> <span className="upload-name">{file.name}</span>
      </Button>
      <span className="soft small">{keep.problem ?? fileSize(file.bytes)}</span>
    </div>
  )
}

function Picture({ conversation, file }: FileProps) {
  const words = useChatFilesWords()
  const [isOpen, setOpen] = useState(false)
  const preview = useAddress(conversation, file.id, true)
  const { width = 1, height = 1, name } = file
  return (
    <>
      <button
        type="button"
        className="picture"
        aria-label={words.enlarge(name)}
        onClick={() => setOpen(true)}
      >
        {preview.url === undefined ? (
          <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" />
        ) : (
          <img src={preview.url} alt={name} loading="lazy" onError={preview.again} {...{ width, height }} />
        )}
      </button>
      <Dialog title={name} isOpen={isOpen} onClose={() => setOpen(false)} wide>
        {isOpen && <LargePicture {...{ conversation, file }} />}
        <DialogButtons>
          <Button onPress={() => setOpen(false)}>{words.close}</Button>
        </DialogButtons>
      </Dialog>
    </>
  )
}

function LargePicture({ conversation, file }: FileProps) {
  const words = useChatFilesWords()
  const { url, again } = useAddress(conversation, file.id, false)
  const keep = useAction(async () => keepFile(await conversation.addressOf(file.id)))
  return (
    <>
      {url && <img className="picture-large" src={url} alt={file.name} onError={again} />}
      <p className="soft small">
        {fileSize(file.bytes)}{' '}
        <Button small look="quiet" busy={keep.busy} onPress={() => void keep.run()}>
          {words.keep(file.name)}
        </Button>
      </p>
    </>
  )
}

/** An address is good for some minutes: one that is over is asked for again, once. */
function useAddress(conversation: Conversation, id: string, preview: boolean) {
  const [url, setUrl] = useState<string>()
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks for another address
  useEffect(() => {
    let isWanted = true
    conversation.addressOf(id, { preview }).then(
      (found) => void (isWanted && setUrl(found)),
      // the message may be gone: its place stays empty
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [conversation, id, preview, tries])
  const again = () => {
    if (tries === 0) setTries(1)
  }
  return { url, again }
}

/** The store answers with a file to be kept: the page stays. */
function keepFile(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.rel = 'noreferrer'
  link.click()
}
