import { useState } from 'react'
import { zoneNow } from '../live/clock/own-clock.ts'
import { client, session } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/fields/form.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Problem } from '../ui/state.tsx'
import { useFirstRunWords } from '../words/first-run.ts'
import { type ChosenFace, saveFace } from './chosen-face.ts'
import { FaceChoice } from './face-choice.tsx'

interface NameStepProps {
  /** The name and the picture that the person has. */
  before: { id: string; name: string; url: string }
  name: string
  onName(name: string): void
  chosen: ChosenFace
  onChoose(face: ChosenFace): void
  onDone(): void
}

/** The face and the name that colleagues see. */
export function NameStep({ before, name, onName, chosen, onChoose, onDone }: NameStepProps) {
  const words = useFirstRunWords()
  const [isClockShown, setClockShown] = useState(true)
  const save = useAction(async () => {
    const changed = {
      ...(name.trim() === before.name ? {} : { displayName: name.trim() }),
      ...(isClockShown ? { timeZone: zoneNow() } : {}),
    }
    if (Object.keys(changed).length > 0) await client.call('updateProfile', changed)
    await saveFace(chosen, before.url)
    await session.refresh()
    // it is there now: going back sends nothing twice
    onChoose({ url: chosen.url })
    onDone()
  })
  return (
    <>
      <PageHeading title={words.nameTitle} about={words.nameAbout} />
      <Form className="outside-form" onSubmit={save.run}>
        <FaceChoice face={{ id: before.id, name, url: chosen.url }} busy={save.busy} onChoose={onChoose} />
        <TextField
          label={words.name}
          value={name}
          onChange={onName}
          autoComplete="name"
          minLength={2}
          maxLength={100}
          isRequired
          autoFocus
        />
        <Switch
          label={words.localTime}
          hint={words.localTimeHint(zoneNow())}
          on={isClockShown}
          onChange={setClockShown}
        />
        <Problem>{save.problem}</Problem>
        <Button type="submit" look="primary" wide busy={save.busy}>
          {words.next}
        </Button>
      </Form>
    </>
  )
}
