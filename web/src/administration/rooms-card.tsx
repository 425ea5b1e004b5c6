import type { Room } from '@atrium/client/rooms'
import { useRooms } from '@atrium/react'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { RoomSettings } from '../shell/room-settings.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { List, ListRow } from '../ui/list.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { Problem } from '../ui/state.tsx'
import { useAdministrationWords } from '../words/administration.ts'
import { useFloorWords } from '../words/floor.ts'
import { useRoomSettingsWords } from '../words/room-settings.ts'

/** Loaded when it is opened first. */
const AddRoom = lazy(async () => ({ default: (await import('../floor/add-room.tsx')).AddRoom }))

/** Rooms to add, to rename, to settle and to delete. */
export function RoomsCard() {
  const words = useAdministrationWords()
  const { rooms, loaded } = useRooms()
  const [renaming, setRenaming] = useState<Room>()
  const settings = useRoomSettingsWords()
  const [settling, setSettling] = useState<string>()
  const [deleting, setDeleting] = useState<Room>()
  const [isAdding, setAdding] = useState(false)
  const floorWords = useFloorWords()
  const aboutOf = ({ kind, people, guests, sealed }: Room) =>
    [
      floorWords.plots[kind].name,
      words.inside(people.length + guests),
      ...(sealed ? [settings.sealed] : []),
    ].join(' · ')
  return (
    <Card
      title={words.rooms}
      actions={
        <Button small icon="plus" onPress={() => setAdding(true)}>
          {floorWords.addRoom}
        </Button>
      }
    >
      {loaded && rooms.length === 0 && <p className="soft">{words.noRooms}</p>}
      <List label={words.rooms}>
        {rooms.map((room) => (
          <ListRow
            key={room.id}
            title={room.name}
            about={aboutOf(room)}
            after={
              <>
                <IconButton
                  icon="settings"
                  label={settings.of(room.name)}
                  onPress={() => setSettling(room.id)}
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
      <Suspense>{isAdding && <AddRoom isOpen onClose={() => setAdding(false)} />}</Suspense>
      {renaming && <RenameRoom room={renaming} onClose={() => setRenaming(undefined)} />}
      {settling && <RoomSettings roomId={settling} onClose={() => setSettling(undefined)} />}
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
