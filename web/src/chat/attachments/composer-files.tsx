import type { Upload, Uploads } from '@atrium/client/chat'
import { useRef } from 'react'
import { sentenceOf } from '../../live/problem.ts'
import { IconButton } from '../../ui/button.tsx'
import { useChatFilesWords } from '../../words/chat-files.ts'
import { useProblemsWords } from '../../words/problems.ts'
import { fileSize } from './file-size.ts'
import './attachments.css'

/** Lets files of this device be chosen, or a picture be taken where there is a camera to hold up. */
export function AttachButtons({ onAdd }: { onAdd(files: readonly File[]): void }) {
  const words = useChatFilesWords()
  const files = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const take = ({ target }: { target: HTMLInputElement }) => {
    onAdd([...(target.files ?? [])])
    // the same file again is a choice as well
    target.value = ''
  }
  return (
    <>
      <input ref={files} type="file" multiple hidden onChange={take} />
      <IconButton icon="plus" look="quiet" label={words.attach} onPress={() => files.current?.click()} />
      <input ref={camera} type="file" accept="image/*" capture="environment" hidden onChange={take} />
      <span className="attach-camera">
        <IconButton icon="camera" look="quiet" label={words.photo} onPress={() => camera.current?.click()} />
      </span>
    </>
  )
}

/** What is on its way, above the field. */
export function UploadList({ uploads, list }: { uploads: Uploads; list: readonly Upload[] }) {
  const words = useChatFilesWords()
  if (list.length === 0) return null
  return (
    <ul className="uploads" aria-label={words.files}>
      {list.map((upload) => (
        <UploadRow key={upload.id} {...{ uploads, upload }} />
      ))}
    </ul>
  )
}

function UploadRow({ uploads, upload }: { uploads: Uploads; upload: Upload }) {
  const words = useChatFilesWords()
  const problems = useProblemsWords()
  const { id, name, bytes, part, state, error } = upload
  const isEmpty = bytes === 0
  return (
    <li className="upload">
      <span className="upload-name">{name}</span>
      <span className="soft small" role={state === 'failed' ? 'alert' : undefined}>
        {state === 'failed' && (isEmpty ? words.empty : sentenceOf(error, problems))}
        {state === 'waiting' && words.waiting}
        {(state === 'uploading' || state === 'ready') && fileSize(bytes)}
      </span>
      {(state === 'uploading' || state === 'waiting') && (
        <progress aria-label={words.progress(name)} max={1} value={part} />
      )}
      {state === 'failed' && !isEmpty && (
        <IconButton icon="enter" look="quiet" label={words.again(name)} onPress={() => uploads.again(id)} />
      )}
      <IconButton icon="close" look="quiet" label={words.remove(name)} onPress={() => uploads.cancel(id)} />
    </li>
  )
}
