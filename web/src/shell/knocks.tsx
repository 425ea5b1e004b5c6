import type { Realtime, ReceivedEvent } from '@atrium/client/realtime'
import { useChat, useRealtime } from '@atrium/react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { pagePaths } from '../../page-paths.ts'
import {
  asksToTalk,
  goInAt,
  type KnockAtDoor,
  type KnockForPerson,
  takeOwnKnock,
} from '../live/doors/knocking.ts'
import { client } from '../live/office-client.ts'
import { isDecided } from '../live/problem.ts'
import { notices } from '../ui/overlays/notices.ts'
import { pageTitle } from '../ui/page-title.ts'
import { useShellWords } from '../words/shell.ts'
import { useProblemNotice } from './announce/use-problem-notice.ts'
import { useKnown } from './colleague/use-known.ts'

type Received = Extract<ReceivedEvent, { type: 'knock.received' }>['data']
type Ended = Extract<ReceivedEvent, { type: 'knock.ended' }>['data']

/** How long a knock waits for its answer. */
const KNOCK_SECONDS = 30
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

type KnockWords = ReturnType<typeof useShellWords>['knock']

/** What notices of knocks are made of. */
interface Telling extends ReturnType<typeof useMeeting> {
  words: KnockWords
  /** What was pressed could not be done, for a reason that is not the knock's: one that has ended is told of by itself. */
  failed(error: unknown): void
  nameOf(userId: string): string
  urlOf(userId: string): string
  roomOf(roomId: string | undefined): { id: string; name: string; temporary: boolean } | undefined
}

function useKnockNotices() {
  const { knock: words } = useShellWords()
  const tellProblem = useProblemNotice()
  const known = useKnown()
  const telling: Telling = {
    words,
    failed: (error) => !isDecided(error) && tellProblem(error),
    ...useMeeting(tellProblem),
    nameOf: (userId) => known.person(userId)?.displayName ?? '?',
    urlOf: (userId) => known.person(userId)?.avatarUrl ?? '',
    roomOf: known.room,
  }
  return {
    waved: (from: string) => tellWave(telling, from),
    received: (knock: Received) => tellReceived(telling, knock),
    /** One that was for the person ended elsewhere, or without an answer. */
    over({ from }: Received, { outcome }: Ended) {
      const isMissed = outcome === 'expired' || outcome === 'cancelled'
      if (isMissed) notices.show({ text: words.missed(telling.nameOf(from)) })
    },
    /** What became of the person's own. */
    answered({ knockId, outcome }: Ended) {
      const own = takeOwnKnock(knockId)
      if (!own || outcome === 'cancelled') return
      if ('isDoor' in own) tellOfDoor(telling, own, outcome)
      else tellAnswered(telling, own, outcome)
    },
  }
}

/** A colleague says hello: no answer is owed. */
function tellWave({ words, nameOf, failed }: Telling, from: string): void {
  const back = () => void client.call('wave', { userId: from }).catch(failed)
  notices.show({
    id: `wave-${from}`,
    text: words.waves(nameOf(from)),
    urgency: 3,
    seconds: AFTER_SECONDS,
    actions: [{ label: words.waveBack, onAction: back }],
  })
}

function tellReceived(telling: Telling, knock: Received): void {
  const { knockId, from, roomId, message, door } = knock
  const { words, nameOf, urlOf, roomOf, enter, failed } = telling
  const room = roomOf(roomId)
  const isTalk = asksToTalk(knock, room)
  const where = room && !isTalk && (door ? room.name : words.meetIn(room.name))
  const about = [message, where].filter(Boolean).join(' · ')
  const answer = (word: 'accept' | 'later' | 'no') => client.call('answerKnock', { knockId, answer: word })
  const say = (word: 'accept' | 'later' | 'no') => () => void answer(word).catch(failed)
  const accept = () =>
    void answer('accept').then(
      // a place for two may not have been read yet
      () => (roomId === undefined ? tellAccepted(telling, from) : enter(roomId)),
      failed,
    )
  notices.show({
    id: knockId,
    text: isTalk ? words.wantsToTalk(nameOf(from)) : words.received(nameOf(from)),
    ...(about ? { about } : {}),
    // who is inside does not go anywhere; on the floor it stands in the bar
    ...(door ? { urgency: 1 } : {}),
    actions: [
      door
        ? { label: words.letIn, primary: true, onAction: say('accept') }
        : { label: words.talk, primary: true, onAction: accept },
      ...(door ? [] : [{ label: words.inFiveMinutes, onAction: say('later') }]),
      { label: words.notNow, quiet: true, onAction: say('no') },
    ],
    person: { id: from, name: nameOf(from), url: urlOf(from) },
    running: { sinceMs: Date.now(), seconds: KNOCK_SECONDS },
    onClose: say('no'),
  })
}

function tellAccepted({ words, nameOf, write }: Telling, from: string): void {
  notices.show({
    text: words.youAccepted(nameOf(from)),
    tone: 'good',
    seconds: AFTER_SECONDS,
    actions: [{ label: words.write, primary: true, onAction: () => write(from) }],
  })
}

function tellOfDoor(
  { words, enter }: Telling,
  { name, roomId }: KnockAtDoor,
  outcome: Ended['outcome'],
): void {
  if (outcome !== 'accept') {
    notices.show({ text: words.doorStaysClosed(name) })
    return
  }
  if (goInAt(roomId)) return
  notices.show({
    text: words.doorOpens(name),
    tone: 'good',
    seconds: AFTER_SECONDS,
    actions: [{ label: words.enter, primary: true, onAction: () => enter(roomId) }],
  })
}

function tellAnswered(
  { words, roomOf, isAt, enter, write }: Telling,
  { name, userId, roomId }: KnockForPerson,
  outcome: Exclude<Ended['outcome'], 'cancelled'>,
): void {
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
  // at the table for two one waits already
  const actions = room && isAt(room.id) ? [] : [meet]
  notices.show({
    text: texts[outcome](name),
    tone: outcome === 'accept' ? 'good' : 'plain',
    ...(outcome === 'accept' ? { actions, seconds: AFTER_SECONDS } : {}),
  })
}

/** Where two come together: in a room, or in writing where none was named. */
function useMeeting(tellProblem: (error: unknown) => void) {
  const chat = useChat()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const openChat = async (userId: string) => {
    const conversation = await chat?.openWith(userId)
    if (conversation)
      await navigate({ to: pagePaths.conversation, params: { conversationId: String(conversation.id) } })
  }
  return {
    isAt: (roomId: string) => pathname.endsWith(roomId),
    enter: (roomId: string) => void navigate({ to: pagePaths.room, params: { roomId } }),
    write: (userId: string) => void openChat(userId).catch(tellProblem),
  }
}
