import type { EventData, ReceivedEvent } from '@atrium/client/realtime'
import { useChat, useRealtime } from '@atrium/react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { useClockOfThisPlace } from '../live/clock/own-clock.ts'
import { asksToTalk } from '../live/doors/knocking.ts'
import { useOwnPerson } from '../live/own-status.ts'
import { refuseDropped } from '../live/page/dropped-files.ts'
import { patiently } from '../live/page/patient-import.ts'
import { renewPushes } from '../live/push/pushes.ts'
import { useAttentionWords } from '../words/attention.ts'
import { useShellWords } from '../words/shell.ts'
import { addsMention } from './announce/announced.ts'
import { attend, type Call } from './announce/attend.ts'
import { createSpeaker } from './announce/one-speaker.ts'
import { usePlaceOfPush } from './announce/place-of-push.ts'
import { wantedAs } from './announce/wanted.ts'
import { useKnown } from './colleague/use-known.ts'
import { Followed } from './followed.tsx'
import { SmallCall } from './small-call/small-call.tsx'
import { WayBack } from './way-back.tsx'

/**
 * Draws the attention of a person who looks elsewhere: by a sound, and by a notification where they are wanted. Do not
 * disturb silences both. Shows the bar of a call that goes on; it is loaded beside the first screen.
 */
export function Attention() {
  const live = useRealtime()
  const chat = useChat()
  const own = useOwnPerson()
  const callOf = useCalls(own?.id)
  const { pathname } = useLocation()
  const words = useAttentionWords()
  usePlaceOfPush()
  useClockOfThisPlace()
  useEffect(() => refuseDropped(window), [])
  const ownId = own?.id
  useEffect(() => {
    if (ownId !== undefined) void renewPushes(ownId)
  }, [ownId])
  // what is written is seen there
  const showsChat = pathname.startsWith(pagePaths.chat) || pathname.startsWith('/room/')
  const current = useRef({ callOf, chat, ownId: own?.id, isQuiet: false, showsChat, words })
  current.current = { callOf, chat, ownId: own?.id, isQuiet: own?.status === 'busy', showsChat, words }
  useEffect(() => {
    const speaker = createSpeaker(() => document.visibilityState === 'visible')
    const end = live?.on('event', async (event) => {
      const now = current.current
      const call = now.isQuiet ? undefined : await now.callOf(event)
      const as = call && (await wantedAs(event, now.chat, now.ownId))
      if (call && as) await attend(call, { ...now, ...as, speaker })
    })
    return () => {
      end?.()
      speaker.close()
    }
  }, [live])
  return (
    <>
      <SmallCall />
      <WayBack />
      <Followed />
    </>
  )
}

type Written = Pick<EventData<'message.created'>, 'sender_id' | 'content' | 'conversation_id'>

/** The events that call for attention, and their words. */
function useCalls(ownId: string | undefined) {
  const words = useAttentionWords()
  const { knock: knockWords } = useShellWords()
  const known = useKnown()
  const navigate = useNavigate()
  const nameOf = (id: string) => known.person(id)?.displayName ?? words.somebody
  const messageCall = async ({ sender_id, content, conversation_id }: Written): Promise<Call | undefined> => {
    if (String(sender_id) === ownId) return undefined
    const conversationId = String(conversation_id)
    const open = (toWrite = false) =>
      void navigate({ to: pagePaths.conversation, params: { conversationId }, state: { toWrite } })
    const mentionName = (id: string) => (id === 'room' ? words.everybody : nameOf(id))
    // with the parser of texts, which a floor without messages does not wait for
    const { plainText } = await patiently(() => import('../live/text/plain-text.ts'))
    const body = plainText(content, mentionName)
    return { sound: 'message', title: nameOf(String(sender_id)), body, tag: conversationId, open }
  }
  return async (event: ReceivedEvent): Promise<Call | undefined> => {
    switch (event.type) {
      case 'knock.received': {
        const { from, message = '', knockId, roomId } = event.data
        const room = known.room(roomId)
        // the card says the same
        const says = asksToTalk(event.data, room) ? knockWords.wantsToTalk : knockWords.received
        const open = () => void navigate({ to: pagePaths.floor })
        return { sound: 'knock', title: says(nameOf(from)), body: message, tag: knockId, open }
      }
      case 'guest.waiting': {
        const { roomId, guestName } = event.data
        const open = () => void navigate({ to: pagePaths.room, params: { roomId } })
        return { sound: 'knock', title: words.waits(guestName), body: words.waitsAbout, tag: roomId, open }
      }
      case 'message.updated':
        return ownId !== undefined && addsMention(event.data, ownId) ? messageCall(event.data) : undefined
      case 'message.created':
        return messageCall(event.data)
      default:
        return undefined
    }
  }
}
