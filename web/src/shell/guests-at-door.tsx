import { useRealtime, useRooms } from '@atrium/react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { type AtDoor, atDoors } from '../live/doors/at-doors.ts'
import { readWaiting } from '../live/doors/read-waiting.ts'
import { client } from '../live/office-client.ts'
import { useMay } from '../live/permissions.ts'
import { useStore } from '../live/use-session.ts'
import { notices } from '../ui/overlays/notices.ts'
import { useRoomWords } from '../words/room.ts'

/**
 * Tells members who may admit guests of those who wait, those who came before them too, unless the screen is that room's,
 * where the door shows them. Renders nothing by itself; it is loaded beside the first screen.
 */
export function GuestsAtDoor() {
  const live = useRealtime()
  const mayAdmit = useMay()('AdmitGuest')
  useEffect(() => {
    if (!live || !mayAdmit) return
    // the next connection asks again
    const read = () => void readWaiting(client, live).catch(() => {})
    if (live.state === 'connected') read()
    return live.on('state', ({ state }) => state === 'connected' && read())
  }, [live, mayAdmit])
  useTellOfGuests()
  return null
}

function useTellOfGuests(): void {
  const tell = useTell()
  const doors = useStore(atDoors)
  const { rooms } = useRooms()
  const { roomId: shown } = useParams({ strict: false })
  const told = useRef(new Set<string>())
  // another organization has other guests
  useEffect(() => () => told.current.forEach(notices.remove), [])
  useEffect(() => {
    // the rooms are not read yet
    if (rooms.length === 0) return
    const elsewhere = doors.filter(({ isGuest, roomId }) => isGuest && roomId !== shown)
    for (const id of told.current)
      if (!elsewhere.some((one) => one.id === id)) {
        told.current.delete(id)
        notices.remove(id)
      }
    for (const one of elsewhere)
      if (!told.current.has(one.id)) {
        told.current.add(one.id)
        tell(one, rooms.find(({ id }) => id === one.roomId)?.name)
      }
  })
}

function useTell() {
  const { door: words } = useRoomWords()
  const navigate = useNavigate()
  return ({ id, roomId, name }: AtDoor, roomName: string | undefined): void => {
    const decide = (action: 'admit' | 'deny') => () =>
      // where it was too late, the door says how things stand
      void client
        .call('admitGuest', { roomId, guestIdentity: id, action })
        .catch(() => navigate({ to: pagePaths.room, params: { roomId } }))
    notices.show({
      id,
      text: words.waits(name),
      urgency: 1,
      ...(roomName === undefined ? {} : { about: roomName }),
      actions: [
        { label: words.admit, primary: true, onAction: decide('admit') },
        { label: words.deny, onAction: decide('deny') },
      ],
    })
  }
}
