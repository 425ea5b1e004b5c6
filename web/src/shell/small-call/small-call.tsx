import { Link } from '@tanstack/react-router'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { pagePaths } from '../../../page-paths.ts'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/use-session.ts'
import { type CallElsewhere, callElsewhere } from '../../media/call-elsewhere.ts'
import type { CallState, PersonInCall } from '../../media/call-state.ts'
import { floatingPicture } from '../../media/floating-picture.ts'
import { Picture } from '../../media/picture.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { MenuButton } from '../../ui/overlays/menu-button.tsx'
import { notices } from '../../ui/overlays/notices.ts'
import { useSmallCallWords } from '../../words/small-call.ts'
import { useRecordingEnd } from '../announce/use-recording-end.ts'
import { corners } from './corner.ts'
import { interruptedCall } from './interrupted-call.ts'
import { useDragging } from './use-dragging.ts'
import { useQuestions } from './use-questions.ts'
import './small-call.css'

/** A call beside every other screen: who speaks there, whether one is heard, and the way back to it. */
export function SmallCall() {
  const elsewhere = useStore(callElsewhere)
  return elsewhere && <Small key={elsewhere.roomId} {...elsewhere} />
}

function Small({ call, roomId, roomName }: CallElsewhere) {
  const words = useSmallCallWords()
  const state = useStore(call)
  const { smallCallCorner: corner } = useStore(preferences)
  const isHeard = state.people[0]?.microphone === true
  const watched = watchedOf(state)
  const element = useRef<HTMLElement>(null)
  const drag = useDragging(element, (next) => preferences.change({ smallCallCorner: next }))
  useEnd(state, { roomId, roomName })
  useRecordingEnd(state)
  const ask = useQuestions(call, roomId, state)
  useFocusAfter(element)
  return (
    <section
      ref={element}
      className={`small-call small-call-${corner}`}
      aria-label={words.title}
      // not on the picture: while it moves to its corner a press goes to what holds it
      onPointerDown={drag}
    >
      <WatchedPicture watched={watched} />
      <div className="small-call-more">
        <More watched={watched} />
      </div>
      <div className="small-call-bar">
        <About state={state} roomName={roomName} />
        <IconButton
          icon={isHeard ? 'microphone' : 'microphone-off'}
          label={isHeard ? words.mute : words.unmute}
          small
          onPress={() => (ask ? ask() : void call.set('microphone', !isHeard))}
        />
        <Link
          to={pagePaths.room}
          params={{ roomId }}
          viewTransition
          className="button button-icon button-quiet button-small"
          aria-label={words.backToRoom}
          title={words.backToRoom}
        >
          <Icon name="full-screen" />
        </Link>
        <span className="small-call-leave">
          <IconButton icon="sign-out" label={words.leave} small onPress={callElsewhere.leave} />
        </span>
      </div>
    </section>
  )
}

/** The focus would go with what has it. */
function useFocusAfter(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(
    () => () => {
      if (element.current?.contains(document.activeElement)) document.getElementById('content')?.focus()
    },
    [element],
  )
}

/** The call is forgotten where it has ended, and noted where it is interrupted. */
function useEnd({ phase, end }: CallState, { roomId, roomName }: Pick<CallElsewhere, 'roomId' | 'roomName'>) {
  const words = useSmallCallWords()
  useEffect(() => {
    if (phase !== 'ended') return
    callElsewhere.forget()
    if (end !== 'left') notices.show({ text: words.ended(roomName) })
  }, [phase, end, roomName, words])
  useEffect(() => {
    // a page that is loaded anew leaves the room first
    const note = () => phase !== 'ended' && interruptedCall.note(roomId)
    addEventListener('pagehide', note)
    return () => removeEventListener('pagehide', note)
  }, [phase, roomId])
}

/** Who shows something, else who spoke last, else who is there. */
function watchedOf({ people, speaker }: CallState): PersonInCall | undefined {
  const others = people.filter(({ isOwn }) => !isOwn)
  return (
    others.find(({ screen }) => screen) ??
    others.find(({ identity }) => identity === speaker) ??
    others[0] ??
    people[0]
  )
}

function WatchedPicture({ watched }: { watched: PersonInCall | undefined }) {
  return (
    <div
      className={classNames(
        'small-call-picture',
        watched?.speaking && 'small-call-speaking',
        watched?.screen && !watched.isOwn && 'small-call-screen',
      )}
    >
      {watched && <Watched person={watched} />}
    </div>
  )
}

function Watched({ person }: { person: PersonInCall }) {
  const { identity, name, isOwn, screen, camera } = person
  const track = isOwn ? camera : (screen ?? camera)
  useEffect(() => floatingPicture.follow(track), [track])
  return (
    <>
      <Avatar id={identity.split('#')[0]} name={name} url="" size="large" />
      {track && <Picture key={screen ? 'screen' : 'camera'} track={track} isMirrored={isOwn} />}
      <span className="small-call-name">{name}</span>
    </>
  )
}

function About({ state, roomName }: { state: CallState; roomName: string }) {
  const words = useSmallCallWords()
  const { phase, people, recording } = state
  const presents = people.some(({ isOwn, screen }) => isOwn && screen)
  return (
    <p role="status" className="small-call-text">
      <strong>
        <span className="visually-hidden">{words.inside(roomName)}</span>
        <span aria-hidden="true">{roomName}</span>
      </strong>
      <small>
        {phase === 'reconnecting'
          ? words.reconnecting
          : presents
            ? words.youShare
            : words.here(people.length)}
        {recording && (
          <>
            <span aria-hidden="true"> · </span>
            <span className="small-call-recording" aria-hidden="true">
              {words.recordedShort}
            </span>
            <span className="visually-hidden">{words.recording}</span>
          </>
        )}
      </small>
    </p>
  )
}

function More({ watched }: { watched: PersonInCall | undefined }) {
  const words = useSmallCallWords()
  const { smallCallCorner: now } = useStore(preferences)
  const track = watched?.screen ?? watched?.camera
  const floating =
    floatingPicture.isPossible() && track
      ? [
          {
            id: 'floating',
            icon: 'small-picture' as const,
            label: words.smallPicture,
            onAction: () => void floatingPicture.toggle(track),
          },
        ]
      : []
  return (
    <Menu
      label={words.more}
      trigger={<MenuButton icon="more" label={words.more} />}
      entries={[
        ...floating,
        ...corners
          .filter((corner) => corner !== now)
          .map((corner) => ({
            id: corner,
            label: words.corners[corner],
            onAction: () => preferences.change({ smallCallCorner: corner }),
          })),
      ]}
    />
  )
}
