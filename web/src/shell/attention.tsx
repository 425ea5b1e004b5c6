import type { ReceivedEvent } from '@atrium/client/realtime'
import { usePeople, useRealtime } from '@atrium/react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { useOwnPerson } from '../live/own-status.ts'
import { preferences } from '../live/preferences.ts'
import { useAttentionWords } from '../words/attention.ts'
import { Followed } from './followed.tsx'
import { SmallCall } from './small-call/small-call.tsx'
import { play } from './sounds.ts'
import { WayBack } from './way-back.tsx'

interface Call {
  sound: 'knock' | 'message'
  title: string
  body: string
  /** One of the same takes its place. */
  tag: string
  open(): void
}

const BODY_MAX = 120

/**
 * Draws the attention of a person who looks elsewhere: by a sound, and by a notification where they are wanted. Do not
 * disturb silences both. Shows the bar of a call that goes on; it is loaded beside the first screen.
 */
export function Attention() {
  const live = useRealtime()
  const own = useOwnPerson()
  const callOf = useCalls(own?.id)
  const current = useRef({ callOf, isQuiet: false })
  current.current = { callOf, isQuiet: own?.status === 'busy' }
  useEffect(
    () =>
      live?.on('event', (event) => {
        const { callOf: find, isQuiet } = current.current
        const call = isQuiet ? undefined : find(event)
        if (call) attend(call)
      }),
    [live],
  )
  return (
    <>
      <SmallCall />
      <WayBack />
      <Followed />
    </>
  )
}

function attend({ sound, title, body, tag, open }: Call): void {
  const { sounds, notifications } = preferences.get()
  const isHidden = document.visibilityState === 'hidden'
  // a message needs no sound while the page is in view; a knock sounds in any case
  if (sounds && (isHidden || sound === 'knock')) play(sound)
  if (!notifications || !isHidden || Notification.permission !== 'granted') return
  const shown = new Notification(title, {
    body: body.slice(0, BODY_MAX),
    tag,
    icon: '/favicon.svg',
    silent: true,
  })
  shown.onclick = () => {
    window.focus()
    open()
    shown.close()
  }
}

/** The events that call for attention, and their words. */
function useCalls(ownId: string | undefined) {
  const words = useAttentionWords()
  const { people } = usePeople()
  const navigate = useNavigate()
  const nameOf = (id: string) => people.find((one) => one.id === id)?.displayName ?? words.somebody
  return (event: ReceivedEvent): Call | undefined => {
    switch (event.type) {
      case 'knock.received': {
        const { from, message = '', knockId } = event.data
        const open = () => void navigate({ to: pagePaths.floor })
        return { sound: 'knock', title: words.knocks(nameOf(from)), body: message, tag: knockId, open }
      }
      case 'guest.waiting': {
        const { roomId, guestName } = event.data
        const open = () => void navigate({ to: pagePaths.room, params: { roomId } })
        return { sound: 'knock', title: words.waits(guestName), body: words.waitsAbout, tag: roomId, open }
      }
      case 'message.created': {
        const { sender_id, content, conversation_id } = event.data
        if (String(sender_id) === ownId) return undefined
        const conversationId = String(conversation_id)
        const open = () => void navigate({ to: pagePaths.conversation, params: { conversationId } })
        return {
          sound: 'message',
          title: nameOf(String(sender_id)),
          body: content,
          tag: conversationId,
          open,
        }
      }
      default:
        return undefined
    }
  }
}
