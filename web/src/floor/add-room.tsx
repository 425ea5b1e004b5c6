import type { Room } from '@atrium/client/rooms'
import { useState } from 'react'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { ROOM_KINDS, ROOM_SEATS, USUAL_SEATS } from '../shell/room-choices.ts'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/fields/form.tsx'
import { Select } from '../ui/fields/select.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { Problem } from '../ui/state.tsx'
import { useFloorWords } from '../words/floor.ts'

export interface AddRoomProps {
  isOpen: boolean
  /** What is suggested for the place that was pressed. */
  kind?: Room['kind']
  /** That place; undefined: behind all others. */
  position?: number | undefined
  onClose(): void
}

export function AddRoom({ isOpen, ...rest }: AddRoomProps) {
  const words = useFloorWords()
  return (
    <Dialog title={words.addRoom} isOpen={isOpen} onClose={rest.onClose}>
      <AddRoomForm {...rest} />
    </Dialog>
  )
}

function AddRoomForm({ kind: suggested, position, onClose }: Omit<AddRoomProps, 'isOpen'>) {
  const words = useFloorWords()
  const { name, setName, kind, setKind, seats, setSeats, add, openDesk } = useNewRoom({
    suggested,
    position,
    onClose,
  })
  return (
    <Form onSubmit={add.run}>
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
      <Select<(typeof ROOM_KINDS)[number]>
        label={words.roomKind}
        options={ROOM_KINDS.map((id) => ({ id, label: words.plots[id].name }))}
        value={kind}
        onChange={setKind}
      />
      <Select<(typeof ROOM_SEATS)[number]>
        label={words.roomSeats}
        options={ROOM_SEATS.map((id) => ({ id, label: id === USUAL_SEATS ? words.usualSeats : id }))}
        value={seats}
        onChange={setSeats}
      />
      <Problem>{add.problem ?? openDesk.problem}</Problem>
      <DialogButtons>
        <Button look="quiet" busy={openDesk.busy} onPress={() => void openDesk.run()}>
          {words.ownDesk}
        </Button>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button type="submit" look="primary" busy={add.busy}>
          {words.add}
        </Button>
      </DialogButtons>
    </Form>
  )
}

interface NewRoomPlace {
  suggested: Room['kind'] | undefined
  position: number | undefined
  onClose(): void
}

function useNewRoom({ suggested, position, onClose }: NewRoomPlace) {
  const words = useFloorWords()
  const [name, setName] = useState(suggested ? words.plots[suggested].name : '')
  const [kind, setKind] = useState(() => ROOM_KINDS.find((one) => one === suggested) ?? ROOM_KINDS[0])
  const [seats, setSeats] = useState<(typeof ROOM_SEATS)[number]>(USUAL_SEATS)
  const add = useAction(async () => {
    // it appears by its event
    await client.call('createRoom', {
      ...{ name: name.trim(), kind },
      ...(seats === USUAL_SEATS ? {} : { seats: Number(seats) }),
      ...(position === undefined ? {} : { position }),
    })
    onClose()
  })
  const openDesk = useAction(async () => {
    await client.call('openDesk')
    onClose()
  })
  return { name, setName, kind, setKind, seats, setSeats, add, openDesk }
}
