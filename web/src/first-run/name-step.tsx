import { type FormEvent, useState } from 'react'
import { client, session } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Problem } from '../ui/state.tsx'
import { useFirstRunWords } from '../words/first-run.ts'

export function NameStep({ name: before, onDone }: { name: string; onDone(): void }) {
  const words = useFirstRunWords()
  const [name, setName] = useState(before)
  const save = useAction(async () => {
    if (name.trim() !== before) {
      await client.call('updateProfile', { displayName: name.trim() })
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
        <Problem>{save.problem}</Problem>
        <Button type="submit" look="primary" wide busy={save.busy}>
          {words.next}
        </Button>
      </form>
    </>
  )
}
