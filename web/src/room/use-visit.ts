import { useEffect, useRef, useState } from 'react'
import { client } from '../live/office-client.ts'
import { patiently } from '../live/page/patient-import.ts'
import { useSession } from '../live/use-session.ts'
import { callElsewhere, organizationNow } from '../media/call-elsewhere.ts'
import type { Call } from '../media/call-state.ts'
import { justLeft } from '../media/just-left.ts'
import { openCall } from '../media/open-call.ts'
import { CannotSeal, canSeal } from '../media/sealing/can-seal.ts'
import type { OpenSealing } from '../media/sealing/sealing.ts'

/** The call of a room as long as its screen is shown; a person inside stays inside on other screens. */
export function useVisit(
  roomId: string,
  { name: roomName, sealed }: { name: string; sealed: boolean },
): { call: Call; ownId: string } {
  const { ownId, ownName } = useOwnself()
  const isSealed = useRef(sealed)
  isSealed.current = sealed
  const [call] = useState(
    () =>
      callElsewhere.of(roomId) ??
      openRoom(roomId, {
        username: ownName,
        sealing: async () => ((await sealedNow(roomId, isSealed.current)) ? await sealing(ownId) : undefined),
      }),
  )
  // another tab may switch to another one while the room is on screen
  const [organizationId] = useState(organizationNow)
  const name = useRef(roomName)
  name.current = roomName
  useEffect(() => {
    if (callElsewhere.get()?.call === call) callElsewhere.forget()
    const stopWatch = callElsewhere.leaveFor(call)
    return () => {
      stopWatch()
      const { phase } = call.get()
      // a person at another screen is still in the room: a small call there says so, and leads back
      if (phase === 'inside' || phase === 'reconnecting')
        callElsewhere.keep({ call, roomId, roomName: name.current, organizationId })
      else void call.leave()
    }
  }, [call, roomId, organizationId])
  useEffect(() => {
    const note = () => {
      const { phase, people } = call.get()
      if (phase === 'inside') justLeft.note(roomId, people.find(({ isOwn }) => isOwn)?.sid)
    }
    // a page that is loaded again leaves the room first
    addEventListener('pagehide', note)
    return () => removeEventListener('pagehide', note)
  }, [call, roomId])
  return { call, ownId }
}

/**
 * A list of rooms may be of before the room was sealed: nothing is sent in clear for that. A room that cannot be asked for
 * is refused by the ticket, in words.
 */
async function sealedNow(roomId: string, asListed: boolean): Promise<boolean> {
  const answer = await client.call('getRoom', { roomId }).catch(() => undefined)
  return answer ? answer.room.sealed : asListed
}

async function sealing(ownId: string): Promise<OpenSealing> {
  if (!(await canSeal())) throw new CannotSeal()
  const { memberSealing } = await patiently(() => import('../media/sealing/entrances.ts'))
  return await memberSealing(ownId)
}

function openRoom(
  roomId: string,
  { username, sealing }: { username: string; sealing(): Promise<OpenSealing | undefined> },
): Call {
  return openCall({
    getSealing: sealing,
    async getTicket(lastSid = justLeft.connection(roomId)) {
      const returning = lastSid === undefined ? {} : { returning: { participantSid: lastSid } }
      const { token, url, programs } = await client.call('authorizeRoom', { roomId, username, ...returning })
      return { token, url, bots: programs }
    },
    tellActivity: (said) => client.call('setActivity', { roomId, ...said }),
  })
}

function useOwnself(): { ownId: string; ownName: string } {
  const session = useSession()
  if (session.state !== 'signed-in') return { ownId: '', ownName: '' }
  const { id, displayName, email } = session.user
  return { ownId: id, ownName: displayName || email }
}
