import type { Room } from '@atrium/client/rooms'
import { useRooms } from '@atrium/react'
import { type FormEvent, useState } from 'react'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { List, ListRow } from '../ui/list.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { Problem } from '../ui/state.tsx'
import { useAdministrationWords } from '../words/administration.ts'
import { useSealedWords } from '../words/sealed.ts'
import { SealRoom } from './seal-room.tsx'

/** Rooms to rename and to delete. */
export function RoomsCard() {
  const words = useAdministrationWords()
  const { rooms, loaded } = useRooms()
  const [renaming, setRenaming] = useState<Room>()
  const sealed = useSealedWords()
  const [sealing, setSealing] = useState<Room>()
  const [deleting, setDeleting] = useState<Room>()
  return (
    <Card title={words.rooms}>
      {loaded && rooms.length === 0 && <p className="soft">{words.noRooms}</p>}
      <List label={words.rooms}>
        {rooms.map((room) => (
          <ListRow
            key={room.id}
            title={room.name}
            about={words.inside(room.people.length + room.guests)}
            after={
              <>
                <IconButton
                  icon={room.sealed ? 'administration' : 'lock'}
                  label={room.sealed ? sealed.unseal(room.name) : sealed.seal(room.name)}
                  onPress={() => setSealing(room)}
                />
                <IconButton icon="edit" label={words.rename(room.name)} onPress={() => setRenaming(room)} />
                <IconButton
                  icon="trash"
                  label={words.deleteRoom(room.name)}
                  onPress={() => setDeleting(room)}
                />
              </>
            }
          />
        ))}
      </List>
      {renaming && <RenameRoom room={renaming} onClose={() => setRenaming(undefined)} />}
      {sealing && <SealRoom room={sealing} onClose={() => setSealing(undefined)} />}
      {deleting && <DeleteRoom room={deleting} onClose={() => setDeleting(undefined)} />}
    </Card>
  )
}

function RenameRoom({ room, onClose }: { room: Room; onClose(): void }) {
  const words = useAdministrationWords()
  const [name, setName] = useState(room.name)
  const save = useAction(async () => {
    await client.call('updateRoom', { roomId: room.id, name: name.trim() })
    onClose()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save.run()
  }
  return (
    <Dialog title={words.rename(room.name)} isOpen onClose={onClose}>
      <form onSubmit={submit} className="administration-form">
        <TextField label={words.name} value={name} onChange={setName} maxLength={255} isRequired autoFocus />
        <Problem>{save.problem}</Problem>
        <DialogButtons>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button type="submit" look="primary" busy={save.busy}>
            {words.save}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

function DeleteRoom({ room, onClose }: { room: Room; onClose(): void }) {
  const words = useAdministrationWords()
  const remove = useAction(async () => {
    await client.call('deleteRoom', { roomId: room.id })
    onClose()
  })
  return (
    <Dialog title={words.deleteRoom(room.name)} isOpen alert onClose={onClose}>
      <p>{words.deleteRoomAbout}</p>
      <Problem>{remove.problem}</Problem>
      <DialogButtons>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button look="danger" busy={remove.busy} onPress={() => void remove.run()}>
          {words.deleteIt}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
