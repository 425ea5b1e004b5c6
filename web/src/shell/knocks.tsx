import type { Realtime, ReceivedEvent } from '@atrium/client/realtime'
import { useChat, usePeople, useRealtime, useRooms } from '@atrium/react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { goInAt, type KnockAtDoor, takeOwnKnock } from '../live/doors/knocking.ts'
import { client } from '../live/office-client.ts'
import { notices } from '../ui/overlays/notices.ts'
import { pageTitle } from '../ui/page-title.ts'
import { useShellWords } from '../words/shell.ts'

type Received = Extract<ReceivedEvent, { type: 'knock.received' }>['data']
type Ended = Extract<ReceivedEvent, { type: 'knock.ended' }>['data']

/** How long one is offered to meet after a knock. */
const AFTER_SECONDS = 30

/** Knocks: those for the person, to be answered, and what became of their own. Shows nothing by itself. */
export function Knocks() {
  const live = useRealtime()
  const tell = useKnockNotices()
  const current = useRef(tell)
  current.current = tell
  useEffect(() => live && follow(live, current), [live])
  return null
}

function follow(live: Realtime, tell: { current: ReturnType<typeof useKnockNotices> }): () => void {
  const waiting = new Map<string, Received>()
  const end = live.on('event', (event) => {
    if (event.type === 'knock.received') {
      waiting.set(event.data.knockId, event.data)
      tell.current.received(event.data)
    }
    if (event.type === 'wave.received') tell.current.waved(event.data.from)
    if (event.type === 'knock.ended') {
      const forMe = waiting.get(event.data.knockId)
      waiting.delete(event.data.knockId)
      notices.remove(event.data.knockId)
      if (forMe) tell.current.over(forMe, event.data)
      else tell.current.answered(event.data)
    }
    pageTitle.count('knocks', waiting.size)
  })
  return () => {
    end()
    pageTitle.count('knocks', 0)
  }
}

function useKnockNotices() {
  const { knock: words } = useShellWords()
  const { people } = usePeople()
  const { rooms } = useRooms()
  const { enter, write } = useMeeting()
  const nameOf = (userId: string) => people.find(({ id }) => id === userId)?.displayName ?? '?'
  const roomOf = (roomId: string | undefined) => rooms.find(({ id }) => id === roomId)
  const answer = (knockId: string, answered: 'accept' | 'later' | 'no') =>
    client.call('answerKnock', { knockId, answer: answered })
  const tellAccepted = (from: string) =>
    notices.show({
      text: words.youAccepted(nameOf(from)),
      tone: 'good',
      seconds: AFTER_SECONDS,
      actions: [{ label: words.write, primary: true, onAction: () => write(from) }],
    })
  const tellOfDoor = ({ name, roomId }: KnockAtDoor, outcome: Ended['outcome']) => {
    if (outcome !== 'accept') return notices.show({ text: words.doorStaysClosed(name) })
    if (goInAt(roomId)) return
    notices.show({
      text: words.doorOpens(name),
      tone: 'good',
      seconds: AFTER_SECONDS,
      actions: [{ label: words.enter, primary: true, onAction: () => enter(roomId) }],
    })
  }

  return {
    /** A colleague says hello: no answer is owed. */
    waved(from: string) {
      const back = () => void client.call('wave', { userId: from }).catch(() => {})
      notices.show({
        id: `wave-${from}`,
        text: words.waves(nameOf(from)),
        urgency: 3,
        seconds: AFTER_SECONDS,
        actions: [{ label: words.waveBack, onAction: back }],
      })
    },
    received({ knockId, from, roomId, message, door }: Received) {
      const room = roomOf(roomId)
      const where = room && (door ? room.name : words.meetIn(room.name))
      const about = [message, where].filter(Boolean).join(' · ')
      const say = (word: 'accept' | 'later' | 'no') => () => void answer(knockId, word).catch(() => {})
      const letIn = { label: words.letIn, primary: true, onAction: say('accept') }
      notices.show({
        id: knockId,
        text: words.received(nameOf(from)),
        ...(about ? { about } : {}),
        // who is inside does not go anywhere; on the floor it stands in the bar
        ...(door ? { urgency: 1 } : {}),
        actions: [
          door
            ? letIn
            : {
                label: words.accept,
                primary: true,
                onAction: () =>
                  void answer(knockId, 'accept').then(
                    // a place for two may not have been read yet
                    () => (roomId === undefined ? tellAccepted(from) : enter(roomId)),
                    () => {},
                  ),
              },
          { label: words.later, onAction: say('later') },
          { label: words.no, onAction: say('no') },
        ],
        onClose: say('later'),
      })
    },
    /** One that was for the person ended elsewhere, or without an answer. */
    over({ from }: Received, { outcome }: Ended) {
      if (outcome === 'expired' || outcome === 'cancelled') notices.show({ text: words.missed(nameOf(from)) })
    },
    /** What became of the person's own. */
    answered({ knockId, outcome }: Ended) {
      const own = takeOwnKnock(knockId)
      if (!own || outcome === 'cancelled') return
      if ('isDoor' in own) return tellOfDoor(own, outcome)
      const { name, userId, roomId } = own
      const texts = {
        accept: words.accepted,
        later: words.laterSaid,
        no: words.noSaid,
        expired: words.expired,
      }
      const room = roomOf(roomId)
      const meet = room
        ? { label: words.enter, primary: true, onAction: () => enter(room.id) }
        : { label: words.write, primary: true, onAction: () => write(userId) }
      notices.show({
        text: texts[outcome](name),
        tone: outcome === 'accept' ? 'good' : 'plain',
        ...(outcome === 'accept' ? { actions: [meet], seconds: AFTER_SECONDS } : {}),
      })
    },
  }
}

/** Where two come together: in a room, or in writing where none was named. */
function useMeeting() {
  const chat = useChat()
  const navigate = useNavigate()
  const openChat = async (userId: string) => {
    const conversation = await chat?.openWith(userId)
    if (conversation)
      await navigate({ to: pagePaths.conversation, params: { conversationId: String(conversation.id) } })
  }
  return {
    enter: (roomId: string) => void navigate({ to: pagePaths.room, params: { roomId } }),
    write: (userId: string) => void openChat(userId).catch(() => {}),
  }
}
