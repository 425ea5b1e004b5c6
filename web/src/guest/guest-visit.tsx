import { createGuestVisit, type GuestChatState } from '@atrium/client/guests'
import { createStore } from '@atrium/client/store'
import { Suspense, useEffect, useState } from 'react'
import { client } from '../live/office-client.ts'
import { refuseDropped } from '../live/page/dropped-files.ts'
import { keepFocus } from '../live/page/keep-focus.ts'
import { lazyPart } from '../live/page/patient-import.ts'
import { useStore } from '../live/use-session.ts'
import type { Call, JoinWith, SaidActivity, Ticket } from '../media/call-state.ts'
import { chosenDevices } from '../media/devices/devices.ts'
import { openCall } from '../media/open-call.ts'
import { CannotSeal, canSeal } from '../media/sealing/can-seal.ts'
import { InRoom, type InRoomProps } from '../room/in-room.tsx'
import { GuestInstead } from './guest-instead.tsx'
import { guestPlace } from './guest-place.ts'
import { GuestPrejoin } from './guest-prejoin.tsx'
import { GuestWaiting } from './guest-waiting.tsx'
import type { Invite } from './invite.ts'
import { type KeptVisit, keepVisit, keptVisit } from './kept-visit.ts'
import type { OpenGuestChat } from './open-guest-chat.ts'
import { useGuestChat } from './use-guest-chat.ts'

/** Loaded when it is opened first. */
const GuestSideChat = lazyPart(() => import('./guest-side-chat.tsx'), 'GuestSideChat')

const NO_CHAT = createStore<GuestChatState>({ messages: [], sent: [], loaded: false })

export interface GuestVisitProps {
  invite: Invite
  kept: KeptVisit
  onAgain(): void
}

/** One visit of a guest: asking, waiting at the door, being inside, and how it ends. */
export function GuestVisit({ invite, kept, onAgain }: GuestVisitProps) {
  const { visitNow, call, callNow, ask } = useGuestVisit(kept)
  const place = guestPlace(visitNow, callNow)
  useEffect(() => refuseDropped(window), [])
  const chat = useChatOfRoom(useGuestChat(visitNow, place), call)
  if (place === 'outside' || (place === 'asking' && !kept.hasAsked))
    return (
      <GuestPrejoin
        invite={invite}
        name={kept.name}
        busy={place === 'asking'}
        onAsk={(name, choices) => void ask(name, choices)}
      />
    )
  if (place === 'waiting' || place === 'asking')
    return (
      <GuestWaiting
        invite={invite}
        told={visitNow.state === 'waiting' ? visitNow.told : undefined}
        recording={callNow.recording}
        bots={'programs' in visitNow ? visitNow.programs : []}
        onAgree={() => void call.agree()}
        onStop={() => void call.leave()}
      />
    )
  if (place === 'inside')
    return (
      <main ref={keepFocus} className="guest-main">
        <InRoom call={call} title={invite.roomName} recording={callNow.recording} {...chat} />
      </main>
    )
  const error = 'error' in visitNow ? visitNow.error : undefined
  return <GuestInstead place={place} error={error} onAgain={onAgain} />
}

/** Asks again after a reload, and is over when the page is left. */
function useGuestVisit(kept: KeptVisit) {
  const [{ visit, call }] = useState(() => newVisit(kept.token))
  const visitNow = useStore(visit)
  const callNow = useStore(call)
  const ask = async (name: string, choices: JoinWith, participantSid?: string) => {
    const { microphone, camera } = choices
    keepVisit({ token: kept.token, name, hasAsked: true, microphone, camera })
    const { state } = await visit.ask(name, participantSid)
    // what else is wrong, the state of the call says
    if (state === 'waiting' || state === 'admitted') await call.join(choices).catch(() => {})
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is opened
  useEffect(() => {
    const { hasAsked, name, microphone, camera, participantSid } = kept
    if (hasAsked) void ask(name, { microphone, camera, ...chosenDevices(), agreed: false }, participantSid)
    return () => {
      visit.close()
      void call.leave()
    }
  }, [visit, call])
  useEffect(() => {
    // put out, or turned away: the office knows which
    if (callNow.end === 'removed') void visit.check()
    if (callNow.end === 'left') {
      visit.close()
      keepVisit({ ...keptVisit(''), hasAsked: false })
    }
  }, [callNow.end, visit])
  const participantSid = callNow.people.find(({ isOwn }) => isOwn)?.sid
  useEffect(() => {
    if (participantSid) keepVisit({ ...keptVisit(''), participantSid })
  }, [participantSid])
  return { visitNow, call, callNow, ask }
}

/** The chat of the room, and how much in it was written since the guest has looked at it. */
function useChatOfRoom(open: OpenGuestChat | undefined, call: Call): Pick<InRoomProps, 'chat'> {
  const { messages } = useStore<GuestChatState>(open?.chat ?? NO_CHAT)
  const [seen, setSeen] = useState(0)
  if (!open) return {}
  const unread = messages.filter(({ id, mine }) => !mine && id > seen).length
  const show = (onClose: () => void) => (
    <Suspense>
      <GuestSideChat {...{ open, call, onClose }} onSeen={setSeen} />
    </Suspense>
  )
  return { chat: { unread, show } }
}

function newVisit(token: string): { visit: ReturnType<typeof createGuestVisit>; call: Call } {
  const visit = createGuestVisit(client, token, { sealedKey })
  let isFirst = true
  const getTicket = async (lastSid?: string): Promise<Ticket> => {
    const now = isFirst ? visit.get() : await visit.check(lastSid)
    isFirst = false
    if ('rtcToken' in now) return { token: now.rtcToken, url: now.url, bots: now.programs }
    throw 'error' in now ? now.error : new Error('nothing was asked')
  }
  const tellActivity = async (said: SaidActivity) => {
    const now = visit.get()
    // people inside hear nothing of a guest who waits
    if (now.state !== 'admitted' || now.inviteId === undefined) return
    await client.call('setGuestActivity', { inviteId: now.inviteId, ...said })
  }
  const getSealing = async () => {
    const now = visit.get()
    if (!('rtcToken' in now) || !now.sealed) return undefined
    const { guestSealing } = await import('../media/sealing/entrances.ts')
    return await guestSealing(now.inviteId ?? '')
  }
  // admission changes the rights of the connection
  const call = openCall({ getTicket, getSealing, onPermissions: () => void visit.check(), tellActivity })
  return { visit, call: keepingDevices(call) }
}

async function sealedKey(): Promise<string> {
  if (!(await canSeal())) throw new CannotSeal()
  const { guestKey } = await import('../media/sealing/entrances.ts')
  return await guestKey()
}

/** Keeps what the guest switches on and off over a reload; what the page closes while it unloads is not kept. */
function keepingDevices(call: Call): Call {
  return {
    ...call,
    async set(kind, on) {
      if (kind !== 'screen') keepVisit({ ...keptVisit(''), [kind]: on })
      await call.set(kind, on)
    },
  }
}
