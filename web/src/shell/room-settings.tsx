import type { Room } from '@atrium/client/rooms'
import { useRoom } from '@atrium/react'
import { useState } from 'react'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/fields/form.tsx'
import { Select } from '../ui/fields/select.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { Problem } from '../ui/state.tsx'
import { useFloorWords } from '../words/floor.ts'
import { useRoomSettingsWords } from '../words/room-settings.ts'
import { ROOM_KINDS, ROOM_SEATS, USUAL_SEATS } from './room-choices.ts'
import './room-settings.css'

const DISPATCHES = ['none', 'on-request', 'always'] as const

/** What moderators decide about a room: what it is called and for, whether bots come in, and whether it is sealed. */
export function RoomSettings({ roomId, onClose }: { roomId: string; onClose(): void }) {
  const room = useRoom(roomId)
  return room ? <Settings room={room} onClose={onClose} /> : null
}

function Settings({ room, onClose }: { room: Room; onClose(): void }) {
  const words = useRoomSettingsWords()
  const { id: roomId, name, agentDispatch, sealed, people, agents, guests } = room
  const isEmpty = people.length + agents.length + guests === 0
  const change = useChange(roomId)
  const naming = useNaming(room)
  const finish = async () => {
    if (await naming.save()) onClose()
  }
  return (
    <Dialog title={words.title(name)} isOpen onClose={onClose}>
      <div className="room-settings">
        {room.ownerId === null && <NameAndKind room={room} naming={naming} />}
        <Seats room={room} />
        <Select
          label={words.dispatch}
          options={DISPATCHES.map((id) => ({ id, label: words.dispatches[id] }))}
          value={agentDispatch}
          onChange={(next) => void change.run({ agentDispatch: next })}
          busy={change.busy}
          disabled={sealed}
        />
        {sealed && <p className="small soft">{words.sealedHasNone}</p>}
        <Switch
          label={words.sealed}
          hint={isEmpty ? words.sealedAbout : `${words.sealedAbout} ${words.empty}`}
          on={sealed}
          onChange={(next) => void change.run({ sealed: next })}
          busy={change.busy}
          disabled={!isEmpty}
        />
        <Problem>{change.problem}</Problem>
      </div>
      <DialogButtons>
        <Button look="primary" busy={naming.busy} onPress={() => void finish()}>
          {words.done}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

type Changed = Pick<Room, 'agentDispatch' | 'sealed' | 'seats' | 'name'> & {
  kind: (typeof ROOM_KINDS)[number]
}

function useChange(roomId: string) {
  return useAction(async (next: Partial<Changed>) => {
    await client.call('updateRoom', { roomId, ...next })
  })
}

/** A name that was typed is no choice from a list: it counts once it is entered, or the dialog is done with. */
function useNaming({ id, name: before, ownerId }: Room) {
  const [typed, setName] = useState<string>()
  const { run, busy, problem } = useChange(id)
  // others may rename it meanwhile: what was not touched here is no wish
  const name = typed ?? before
  const isChanged = ownerId === null && name.trim() !== before
  return {
    ...{ name, setName, isChanged, busy, problem },
    /** @returns whether the room is called so */
    save: async () => !isChanged || (await run({ name: name.trim() })),
  }
}

/** Of a desk both stay as they are. */
function NameAndKind({ room: { id, kind }, naming }: { room: Room; naming: ReturnType<typeof useNaming> }) {
  const words = useRoomSettingsWords()
  const { plots } = useFloorWords()
  const change = useChange(id)
  return (
    <>
      <Form onSubmit={naming.save} className="room-settings-name">
        <TextField
          label={words.name}
          value={naming.name}
          onChange={naming.setName}
          maxLength={255}
          isRequired
        />
        {naming.isChanged && (
          <Button type="submit" busy={naming.busy}>
            {words.rename}
          </Button>
        )}
      </Form>
      <Select<Room['kind']>
        label={words.kind}
        options={ROOM_KINDS.map((one) => ({ id: one, label: plots[one].name }))}
        value={kind}
        onChange={(next) => next !== 'desk' && void change.run({ kind: next })}
        busy={change.busy}
      />
      <Problem>{naming.problem ?? change.problem}</Problem>
    </>
  )
}

function Seats({ room: { id, seats } }: { room: Room }) {
  const words = useRoomSettingsWords()
  const change = useChange(id)
  const value = seats === null ? USUAL_SEATS : String(seats)
  // a program may have given another number
  const options = [...new Set([...ROOM_SEATS, value])].sort((one, other) => Number(one) - Number(other))
  return (
    <>
      <Select
        label={words.seats}
        options={options.map((one) => ({ id: one, label: one === USUAL_SEATS ? words.usualSeats : one }))}
        value={value}
        onChange={(next) => void change.run({ seats: next === USUAL_SEATS ? null : Number(next) })}
        busy={change.busy}
      />
      <Problem>{change.problem}</Problem>
    </>
  )
}
