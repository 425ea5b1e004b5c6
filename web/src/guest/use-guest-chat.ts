import type { VisitState } from '@atrium/client/guests'
import { useEffect, useState } from 'react'
import { client } from '../live/office-client.ts'
import { type GuestPlaceOfChat, type OpenGuestChat, openGuestChat } from './open-guest-chat.ts'

/**
 * The chat of the room, once the office has said by which link they are in it. A visit that cannot be looked at for a
 * moment, as without a network, closes nothing.
 */
export function useGuestChat(visit: VisitState): OpenGuestChat | undefined {
  const [place, setPlace] = useState<GuestPlaceOfChat>()
  const [open, setOpen] = useState<OpenGuestChat>()
  const { guestIdentity = '', inviteId } = visit.state === 'admitted' ? visit : {}
  if (inviteId !== undefined && place?.inviteId !== inviteId) setPlace({ guestIdentity, inviteId })
  const isOver = visit.state !== 'admitted' && visit.state !== 'failed'
  if (isOver && place) setPlace(undefined)
  useEffect(() => {
    if (!place) return undefined
    const opened = openGuestChat(client, place)
    setOpen(opened)
    return () => {
      setOpen(undefined)
      opened.close()
    }
  }, [place])
  return open
}
