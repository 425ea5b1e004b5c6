import type { Room } from '@atrium/client/rooms'
import { useRoom } from '@atrium/react'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/fields/select.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { Problem } from '../ui/state.tsx'
import { useRoomSettingsWords } from '../words/room-settings.ts'
import './room-settings.css'

const DISPATCHES = ['none', 'on-request', 'always'] as const

/** What moderators decide about a room: whether bots come in, and whether it is sealed. */
export function RoomSettings({ roomId, onClose }: { roomId: string; onClose(): void }) {
  const room = useRoom(roomId)
  return room ? <Settings room={room} onClose={onClose} /> : null
}

function Settings({ room, onClose }: { room: Room; onClose(): void }) {
  const words = useRoomSettingsWords()
  const { id: roomId, name, agentDispatch, sealed, people, agents, guests } = room
  const isEmpty = people.length + agents.length + guests === 0
  const change = useAction(async (next: Partial<Pick<Room, 'agentDispatch' | 'sealed'>>) => {
    await client.call('updateRoom', { roomId, ...next })
  })
  return (
    <Dialog title={words.title(name)} isOpen onClose={onClose}>
      <div className="room-settings">
        <Select
          label={words.dispatch}
          options={DISPATCHES.map((id) => ({ id, label: words.dispatches[id] }))}
          value={agentDispatch}
          onChange={(next) => void change.run({ agentDispatch: next })}
          disabled={change.busy || sealed}
        />
        {sealed && <p className="small soft">{words.sealedHasNone}</p>}
        <Switch
          label={words.sealed}
          hint={isEmpty ? words.sealedAbout : `${words.sealedAbout} ${words.empty}`}
          on={sealed}
          onChange={(next) => void change.run({ sealed: next })}
          disabled={change.busy || !isEmpty}
        />
        <Problem>{change.problem}</Problem>
      </div>
      <DialogButtons>
        <Button look="primary" onPress={onClose}>
          {words.done}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
