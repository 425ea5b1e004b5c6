import type { Room } from '@atrium/client/rooms'
import { Link } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { pagePaths } from '../../../page-paths.ts'
import { client } from '../../live/office-client.ts'
import { useMay } from '../../live/permissions.ts'
import { keepChoice, keptChoice } from '../../media/kept-choice.ts'
import { useProblemNotice } from '../../shell/announce/use-problem-notice.ts'
import { useKnockAtRoom } from '../../shell/colleague/use-knock-at-room.ts'
import { RecordingsOfRoom } from '../../shell/recordings-of-room.tsx'
import { Button, IconButton, iconButtonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { Problem } from '../../ui/state.tsx'
import { useFloorWords } from '../../words/floor.ts'
import type { Cell } from '../plan/building.ts'
import { capacityOf } from '../plan/plan-room.ts'
import type { RoomOnFloor } from '../state/floor-state.ts'
import { useOnFloor } from '../state/use-floor.ts'
import { SmallFace } from './face.tsx'
import { lengths } from './lengths.ts'
import type { PlanActions } from './use-plan-events.ts'
import './room-about.css'
import { lazyPart } from '../../live/page/patient-import.ts'

/** Loaded when it is opened first. */
const RoomSettings = lazyPart(() => import('../../shell/room-settings.tsx'), 'RoomSettings')

export interface RoomAboutProps {
  cell: Cell
  /** By a key: it takes the focus, and gives it back. */
  isAsked: boolean
  ownId: string
  actions: PlanActions
}

const WIDTH = 300
const FACES_MOST = 8

/** Beside a room: what one wants to know before one goes in, and as what one will come. */
export function RoomAbout({ cell, isAsked, ownId, actions }: RoomAboutProps) {
  const words = useFloorWords()
  const here = useOnFloor(({ rooms }) => rooms.find(({ room }) => room.id === cell.room.id))
  const card = useRef<HTMLDivElement>(null)
  useFocusWithin(card, isAsked)
  if (!here) return null
  const { room, people } = here
  const x = Math.max(4, cell.x + (cell.width - WIDTH) / 2)
  const place = cell.side === 'down' ? 'room-about-below' : 'room-about-above'
  return (
    <div
      ref={card}
      role="dialog"
      aria-label={room.name}
      tabIndex={-1}
      className={`room-about ${place}`}
      style={lengths({ x, y: cell.side === 'down' ? cell.y + cell.height - 6 : cell.y + 6, about: WIDTH })}
      onKeyDown={({ key }) => key === 'Escape' && actions.closeRoom()}
    >
      <div className="room-about-head">
        <h3>{room.name}</h3>
        <IconButton icon="close" small label={words.close} onPress={actions.closeRoom} />
      </div>
      <p className="soft small">
        {words.kinds[room.kind]} · {words.seatsTaken(people.length, capacityOf(cell.room))}
        {room.sealed && ` · ${words.sealed}`}
        {room.recording && ` · ${words.recorded}`}
      </p>
      {people.length > 0 && (
        <p className="room-about-faces">
          {people.slice(0, FACES_MOST).map((one) => (
            <SmallFace key={one.id} occupant={one} />
          ))}
          {people.length > FACES_MOST && words.more(people.length - FACES_MOST)}
        </p>
      )}
      {room.agents.length > 0 && (
        <p className="room-about-bots small">
          <Icon name="bot" size={16} /> {words.botsNamed(room.agents.map(({ name }) => name))}
        </p>
      )}
      <WayIn here={here} ownId={ownId} actions={actions} />
      <AtDoor here={here} />
      <RecordingsOf room={room} keep={actions.keepRoom} />
      <SettingsOf room={room} keep={actions.keepRoom} />
    </div>
  )
}

function WayIn({
  here: { room, people },
  ownId,
  actions,
}: Pick<RoomAboutProps, 'ownId' | 'actions'> & { here: RoomOnFloor }) {
  const words = useFloorWords()
  const knock = useKnockAtRoom()
  const isInside = people.some(({ id }) => id === ownId)
  if (room.locked && !isInside)
    return (
      <>
        <Button
          look="primary"
          icon="knock"
          wide
          busy={knock.busy}
          onPress={() => void knock.run(room).then((went) => went && actions.closeRoom())}
        >
          {words.knock}
        </Button>
        <Problem>{knock.problem}</Problem>
      </>
    )
  return (
    <div className="room-about-in">
      <Button look="primary" wide onPress={() => actions.goIn(room.id)}>
        {isInside ? words.backIn : words.goIn}
      </Button>
      {!isInside && <Devices roomId={room.id} />}
    </div>
  )
}

interface MoreOfRoomProps {
  room: Room
  keep: PlanActions['keepRoom']
}

/** A dialog of the card, which stays as long as that is open. */
function useOpenedFrom(keep: PlanActions['keepRoom']): [isShown: boolean, show: (isShown: boolean) => void] {
  const [isShown, setShown] = useState(false)
  const show = (next: boolean) => {
    keep(next)
    setShown(next)
  }
  return [isShown, show]
}

/** The room's recordings, for those who may record. */
function RecordingsOf({ room: { id: roomId, name }, keep }: MoreOfRoomProps) {
  const words = useFloorWords()
  const may = useMay()
  const [isShown, setShown] = useOpenedFrom(keep)
  if (!may('RecordRoom')) return null
  return (
    <>
      <Button small look="quiet" icon="record" onPress={() => setShown(true)}>
        {words.recordings}
      </Button>
      {isShown && (
        <Dialog title={words.recordingsOf(name)} isOpen wide onClose={() => setShown(false)}>
          <RecordingsOfRoom roomId={roomId} />
          <DialogButtons>
            <Button look="primary" onPress={() => setShown(false)}>
              {words.close}
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </>
  )
}

/** What moderators decide about the room. */
function SettingsOf({ room, keep }: MoreOfRoomProps) {
  const words = useFloorWords()
  const may = useMay()
  const [isShown, setShown] = useOpenedFrom(keep)
  if (!may('EditRoom')) return null
  return (
    <>
      <Button small look="quiet" icon="settings" onPress={() => setShown(true)}>
        {words.roomSettings}
      </Button>
      {isShown && (
        <Suspense>
          <RoomSettings roomId={room.id} onClose={() => setShown(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Microphone and camera as they will be; which ones, behind a gear. */
function Devices({ roomId }: { roomId: string }) {
  const words = useFloorWords()
  const [choice, setChoice] = useState(keptChoice)
  const change = (kind: 'microphone' | 'camera') => {
    keepChoice({ [kind]: !choice[kind] })
    setChoice(keptChoice())
  }
  return (
    <fieldset className="room-about-devices">
      <legend className="visually-hidden">{words.devices}</legend>
      <IconButton
        icon={choice.microphone ? 'microphone' : 'microphone-off'}
        label={words.microphoneOn}
        aria-pressed={choice.microphone}
        look="plain"
        onPress={() => change('microphone')}
      />
      <IconButton
        icon={choice.camera ? 'camera' : 'camera-off'}
        label={words.cameraOn}
        aria-pressed={choice.camera}
        look="plain"
        onPress={() => change('camera')}
      />
      <Link
        to={pagePaths.room}
        params={{ roomId }}
        search={{ devices: 'choose' }}
        className={iconButtonClass({ look: 'plain' })}
        aria-label={words.chooseDevices}
        title={words.chooseDevices}
      >
        <Icon name="settings" />
      </Link>
    </fieldset>
  )
}

function AtDoor({ here: { room, atDoor } }: { here: RoomOnFloor }) {
  const words = useFloorWords()
  const tellProblem = useProblemNotice()
  const letIn = ({ id, knockId, isGuest }: RoomOnFloor['atDoor'][number]) =>
    isGuest
      ? client.call('admitGuest', { roomId: room.id, guestIdentity: id, action: 'admit' })
      : client.call('answerKnock', { knockId: knockId ?? '', answer: 'accept' })
  return (
    <ul className="room-about-door">
      {atDoor.map((one) => (
        <li key={one.id}>
          {one.isGuest ? <Icon name="guest" /> : <SmallFace occupant={one} />}
          <span>{words.knocks(one.name)}</span>
          {!one.isOwn && (
            <Button small onPress={() => void letIn(one).catch(tellProblem)}>
              {words.letIn}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Takes the focus where it was asked for, and gives it back to what had it. */
function useFocusWithin(card: { current: HTMLElement | null }, isAsked: boolean): void {
  useEffect(() => {
    if (!isAsked) return undefined
    const before = document.activeElement
    const element = card.current
    ;(element?.querySelector<HTMLElement>('.button-primary') ?? element)?.focus()
    return () => {
      const isWithin = element?.contains(document.activeElement) || document.activeElement === document.body
      if (isWithin && before instanceof HTMLElement) before.focus()
    }
  }, [card, isAsked])
}
