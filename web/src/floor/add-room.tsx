import { type FormEvent, useState } from 'react'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { Problem } from '../ui/state.tsx'
import { de } from '../words/de/floor.ts'
import { en } from '../words/en/floor.ts'
import { useWords } from '../words/use-words.ts'

export function AddRoom({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const words = useWords({ en, de })
  return (
    <Dialog title={words.addRoom} isOpen={isOpen} onClose={onClose}>
      <AddRoomForm onClose={onClose} />
    </Dialog>
  )
}

function AddRoomForm({ onClose }: { onClose(): void }) {
  const words = useWords({ en, de })
  const [name, setName] = useState('')
  const add = useAction(async () => {
    // it appears by its event
    await client.call('createRoom', { name: name.trim() })
    onClose()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void add.run()
  }
  return (
    <form onSubmit={submit}>
      <TextField
        label={words.roomName}
        value={name}
        onChange={setName}
        placeholder={words.roomNamePlaceholder}
        maxLength={255}
        autoComplete="off"
        isRequired
        autoFocus
      />
      <Problem>{add.problem}</Problem>
      <DialogButtons>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button type="submit" look="primary" busy={add.busy}>
          {words.add}
        </Button>
      </DialogButtons>
    </form>
  )
}
