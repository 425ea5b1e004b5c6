import { PictureRefused, uploadPicture } from '@atrium/client/picture'
import type { User } from '@atrium/client/session'
import { type FormEvent, useRef, useState } from 'react'
import { client, readSession } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { notices } from '../ui/notices.ts'
import { Problem } from '../ui/state.tsx'
import { TextField } from '../ui/text-field.tsx'
import { de } from '../words/de/settings.ts'
import { en } from '../words/en/settings.ts'
import { useWords } from '../words/use-words.ts'

export function Profile({ user }: { user: User }) {
  const words = useWords({ en, de })
  const [name, setName] = useState(user.displayName)
  const save = useAction(async () => {
    await client.call('updateProfile', { displayName: name.trim() })
    await readSession()
    notices.show({ text: words.saved, tone: 'good' })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save.run()
  }
  return (
    <Card title={words.profile}>
      <OwnPicture name={user.displayName} url={user.avatarUrl ?? ''} />
      <form onSubmit={submit} className="settings-form">
        <TextField
          label={words.name}
          value={name}
          onChange={setName}
          minLength={2}
          maxLength={100}
          autoComplete="name"
          hint={words.nameHint(user.email)}
          isRequired
        />
        <Problem>{save.problem}</Problem>
        <Button type="submit" busy={save.busy} isDisabled={name.trim() === user.displayName}>
          {words.save}
        </Button>
      </form>
    </Card>
  )
}

function OwnPicture({ name, url }: { name: string; url: string }) {
  const words = useWords({ en, de })
  const input = useRef<HTMLInputElement>(null)
  const [refused, setRefused] = useState<string>()
  const [part, setPart] = useState<number>()
  const upload = useAction(async (file: File) => {
    setRefused(undefined)
    try {
      await uploadPicture(client, 'avatar', file, { onProgress: setPart })
      await readSession()
    } catch (error) {
      if (!(error instanceof PictureRefused)) throw error
      setRefused(words.pictureRefused[error.reason])
    } finally {
      setPart(undefined)
    }
  })
  const remove = useAction(async () => {
    await client.call('removeAvatar')
    await readSession()
  })
  return (
    <div className="own-picture">
      <Avatar name={name} url={url} size="large" />
      <div className="own-picture-actions">
        <input
          ref={input}
          type="file"
          accept="image/*"
          className="visually-hidden"
          tabIndex={-1}
          aria-label={words.choosePicture}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) void upload.run(file)
            target.value = ''
          }}
        />
        <Button small busy={upload.busy} onPress={() => input.current?.click()}>
          {words.choosePicture}
        </Button>
        {url !== '' && (
          <Button small look="quiet" busy={remove.busy} onPress={() => void remove.run()}>
            {words.removePicture}
          </Button>
        )}
        <p role="status" className="small soft">
          {part === undefined ? words.pictureHint : words.uploading(Math.round(part * 100))}
        </p>
        <Problem>{refused ?? upload.problem ?? remove.problem}</Problem>
      </div>
    </div>
  )
}
