import type { Room } from '@atrium/client/rooms'
import { usePeople } from '@atrium/react'
import { useState } from 'react'
import { capacityOf } from '../../floor/plan/plan-room.ts'
import { client } from '../../live/office-client.ts'
import { useAction } from '../../live/use-action.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx'
import { MenuButton } from '../../ui/overlays/menu-button.tsx'
import { Problem } from '../../ui/state.tsx'
import { useAdministrationWords } from '../../words/administration.ts'
import { useFloorWords } from '../../words/floor.ts'
import { useRoomSettingsWords } from '../../words/room-settings.ts'
import { movedBy } from './room-order.ts'

export interface RoomsTableProps {
  /** In the order of the office. */
  rooms: readonly Room[]
  onSettings(roomId: string): void
  onDelete(room: Room): void
}

/** Every room with what it is, whether one can walk in, and what can be done with it. */
export function RoomsTable({ rooms, onSettings, onDelete }: RoomsTableProps) {
  const words = useAdministrationWords().roomsTable
  const [said, setSaid] = useState('')
  const move = useAction(async (room: Room, by: -1 | 1) => {
    for (const { id, position } of movedBy(rooms, room.id, by))
      await client.call('updateRoom', { roomId: id, position })
    setSaid(words.isAt(room.name, rooms.indexOf(room) + 1 + by, rooms.length))
  })
  const open = useAction(async ({ id }: Room) => {
    await client.call('lockRoom', { roomId: id, locked: false })
  })
  const entriesOf = (room: Room, at: number): MenuEntry[] => [
    { id: 'settings', label: words.settings, icon: 'settings', onAction: () => onSettings(room.id) },
    ...(room.locked
      ? [{ id: 'open', label: words.openDoor, icon: 'enter' as const, onAction: () => void open.run(room) }]
      : []),
    { id: 'up', label: words.moveUp, disabled: at === 0, onAction: () => void move.run(room, -1) },
    {
      id: 'down',
      label: words.moveDown,
      disabled: at === rooms.length - 1,
      onAction: () => void move.run(room, 1),
    },
    { id: 'delete', label: words.remove, icon: 'trash', danger: true, onAction: () => onDelete(room) },
  ]
  return (
    <>
      <table className="rooms-table">
        <Head />
        <tbody>
          {rooms.map((room, at) => (
            <RoomRow key={room.id} room={room} entries={entriesOf(room, at)} />
          ))}
        </tbody>
      </table>
      <p role="status" className="small soft">
        {said}
      </p>
      <Problem>{move.problem ?? open.problem}</Problem>
    </>
  )
}

function Head() {
  const words = useAdministrationWords().roomsTable
  return (
    <thead>
      <tr>
        <th scope="col">{words.room}</th>
        <th scope="col" className="rooms-more">
          {words.kind}
        </th>
        <th scope="col" className="rooms-more">
          {words.seats}
        </th>
        <th scope="col">{words.door}</th>
        <th scope="col" className="rooms-more">
          {words.recording}
        </th>
        <th scope="col">
          <span className="visually-hidden">{words.actions}</span>
        </th>
      </tr>
    </thead>
  )
}

function RoomRow({ room, entries }: { room: Room; entries: readonly MenuEntry[] }) {
  const { roomsTable: words, inside } = useAdministrationWords()
  const floorWords = useFloorWords()
  const settings = useRoomSettingsWords()
  const { people } = usePeople()
  const count = room.people.length + room.guests
  const owner = people.find(({ id }) => id === room.ownerId)
  const seats = capacityOf(room)
  const kind = floorWords.plots[room.kind].name
  const about = [
    ...(owner ? [words.deskOf(owner.displayName || owner.email)] : []),
    ...(count > 0 ? [inside(count)] : []),
    ...(room.sealed ? [settings.sealed] : []),
  ]
  return (
    <tr>
      <th scope="row">
        {room.name}
        <span className="rooms-less">{words.inShort(kind, seats)}</span>
        {about.length > 0 && <span className="rooms-about">{about.join(' · ')}</span>}
      </th>
      <td className="rooms-more">{kind}</td>
      <td className="rooms-more">{seats}</td>
      <td>
        {room.locked ? (
          <span className="rooms-mark rooms-mark-knock">
            <Icon name="lock" size={14} /> {words.knockFirst}
          </span>
        ) : (
          <span className="rooms-mark">{words.open}</span>
        )}
      </td>
      <td className="rooms-more">
        {room.recording ? <span className="rooms-mark rooms-mark-running">{words.running}</span> : words.off}
      </td>
      <td>
        <Menu
          label={words.moreAbout(room.name)}
          trigger={<MenuButton icon="more" label={words.moreAbout(room.name)} />}
          entries={entries}
        />
      </td>
    </tr>
  )
}
