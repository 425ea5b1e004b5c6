import type { User } from '@atrium/client/session'
import { useState } from 'react'
import { zoneNow } from '../live/clock/own-clock.ts'
import { client, readSession } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { usePicture } from '../live/use-picture.ts'
import { PictureButton } from '../shell/picture/picture-button.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/fields/form.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { notices } from '../ui/overlays/notices.ts'
import { Problem } from '../ui/state.tsx'
import { useSettingsWords } from '../words/settings.ts'

export function Profile({ user }: { user: User }) {
  const words = useSettingsWords()
  // as long as nothing is typed, whatever it was changed to elsewhere
  const [typed, setTyped] = useState<string>()
  const name = typed ?? user.displayName
  const save = useAction(async () => {
    await client.call('updateProfile', { displayName: name.trim() })
    await readSession()
    setTyped(undefined)
    notices.show({ text: words.saved, tone: 'good' })
  })
  return (
    <Card title={words.profile}>
      <OwnPicture id={user.id} name={user.displayName} url={user.avatarUrl ?? ''} />
      <Form onSubmit={save.run} className="settings-form">
        <TextField
          label={words.name}
          value={name}
          onChange={setTyped}
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
      </Form>
      <ClockChoice zone={user.timeZone} />
    </Card>
  )
}

/** Whether colleagues see what time it is here. */
function ClockChoice({ zone }: { zone: string | undefined }) {
  const words = useSettingsWords()
  const choose = useAction(async (isShown: boolean) => {
    await client.call('updateProfile', { timeZone: isShown ? zoneNow() : null })
    await readSession()
  })
  return (
    <>
      <Switch
        label={words.localTime}
        hint={words.localTimeHint(zone ?? zoneNow())}
        on={zone !== undefined}
        onChange={(isShown) => void choose.run(isShown)}
      />
      <Problem>{choose.problem}</Problem>
    </>
  )
}

function OwnPicture({ id, name, url }: { id: string; name: string; url: string }) {
  const words = useSettingsWords()
  const { upload, remove, part, problem } = usePicture('avatar')
  return (
    <div className="own-picture">
      <Avatar id={id} name={name} url={url} size="large" />
      <div className="own-picture-actions">
        <PictureButton
          label={words.choosePicture}
          busy={upload.busy}
          round
          onPicture={(picture) => void upload.run(picture)}
        />
        {url !== '' && (
          <Button small look="quiet" busy={remove.busy} onPress={() => void remove.run()}>
            {words.removePicture}
          </Button>
        )}
        <p role="status" className="small soft">
          {part === undefined ? words.pictureHint : words.uploading(Math.round(part * 100))}
        </p>
        <Problem>{problem}</Problem>
      </div>
    </div>
  )
}
