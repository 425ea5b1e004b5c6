import type { ReceivedEvent } from '@atrium/client/realtime'
import { useRealtime } from '@atrium/react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { client } from '../live/office-client.ts'
import { notices } from '../ui/overlays/notices.ts'
import { useRoomWords } from '../words/room.ts'
import { useKnown } from './colleague/use-known.ts'

/**
 * Tells members who may admit guests of those who wait, unless the screen is that room's, where the door shows them.
 * Renders nothing by itself; it is loaded beside the first screen.
 */
export function GuestsAtDoor() {
  const live = useRealtime()
  const tell = useTell()
  const current = useRef(tell)
  current.current = tell
  useEffect(() => live?.on('event', (event) => current.current(event)), [live])
  return null
}

function useTell() {
  const { door: words } = useRoomWords()
  const known = useKnown()
  const { roomId: shown } = useParams({ strict: false })
  const navigate = useNavigate()
  return (event: ReceivedEvent): void => {
    if (event.type === 'guest.decided' || event.type === 'guest.left')
      notices.remove(event.data.guestIdentity)
    if (event.type !== 'guest.waiting' || event.data.roomId === shown) return
    const { roomId, guestIdentity, guestName } = event.data
    const room = known.room(roomId)
    const decide = (action: 'admit' | 'deny') => () =>
      // where it was too late, the door says how things stand
      void client
        .call('admitGuest', { roomId, guestIdentity, action })
        .catch(() => navigate({ to: pagePaths.room, params: { roomId } }))
    notices.show({
      id: guestIdentity,
      text: words.waits(guestName),
      urgency: 1,
      ...(room ? { about: room.name } : {}),
      actions: [
        { label: words.admit, primary: true, onAction: decide('admit') },
        { label: words.deny, onAction: decide('deny') },
      ],
    })
  }
}
