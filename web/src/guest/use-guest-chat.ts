import type { VisitState } from '@atrium/client/guests'
import { useEffect, useState } from 'react'
import { client } from '../live/office-client.ts'
import type { GuestPlace } from './guest-place.ts'
import { type GuestPlaceOfChat, type OpenGuestChat, openGuestChat } from './open-guest-chat.ts'

/** The guest is not coming back by themselves: what they have not sent belongs nowhere any more. */
const OVER: readonly GuestPlace[] = ['left', 'denied', 'removed', 'over']

/**
 * The chat of the room as long as a guest is in it, once the office has said by which link they are. A visit that cannot
 * be looked at for a moment, as without a network, closes nothing.
 */
export function useGuestChat(visit: VisitState, place: GuestPlace): OpenGuestChat | undefined {
  const [admitted, setAdmitted] = useState<GuestPlaceOfChat>()
  const [open, setOpen] = useState<OpenGuestChat>()
  const isIn = place === 'inside' || place === 'asking'
  const isOver = OVER.includes(place)
  const { guestIdentity = '', inviteId } = visit.state === 'admitted' ? visit : {}
  if (!isIn && admitted) setAdmitted(undefined)
  if (isIn && inviteId !== undefined && admitted?.inviteId !== inviteId)
    setAdmitted({ guestIdentity, inviteId })
  useEffect(() => {
    if (!admitted) return undefined
    const opened = openGuestChat(client, admitted)
    setOpen(opened)
    return () => {
      setOpen(undefined)
      opened.close()
    }
  }, [admitted])
  useEffect(() => {
    if (isOver) open?.forget()
  }, [isOver, open])
  return open
}
