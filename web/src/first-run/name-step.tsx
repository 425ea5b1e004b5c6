import { type FormEvent, useState } from 'react'
import { zoneNow } from '../live/clock/own-clock.ts'
import { client, session } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Problem } from '../ui/state.tsx'
import { useFirstRunWords } from '../words/first-run.ts'

export function NameStep({ name: before, onDone }: { name: string; onDone(): void }) {
  const words = useFirstRunWords()
  const [name, setName] = useState(before)
  const [isClockShown, setClockShown] = useState(true)
  const save = useAction(async () => {
    const changed = {
      ...(name.trim() === before ? {} : { displayName: name.trim() }),
      ...(isClockShown ? { timeZone: zoneNow() } : {}),
    }
    if (Object.keys(changed).length > 0) {
      await client.call('updateProfile', changed)
      await session.refresh()
    }
    onDone()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save.run()
  }
  return (
    <>
      <PageHeading title={words.nameTitle} about={words.nameAbout} />
      <form className="outside-form" onSubmit={submit}>
        <TextField
          label={words.name}
          value={name}
          onChange={setName}
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
      </form>
    </>
  )
}
