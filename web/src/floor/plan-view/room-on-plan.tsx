import type { Room } from '@atrium/client/rooms'
import { memo } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import type { en } from '../../words/en/floor.ts'
import { useFloorWords } from '../../words/floor.ts'
import type { Cell } from '../plan/building.ts'
import { HALL_WIDTH } from '../plan/folded.ts'
import type { Point } from '../plan/furniture/drawing.ts'
import { type Furniture, type Seats, seatsFor } from '../plan/furniture/furnish.ts'
import { screenPlace } from '../plan/furniture/screen-place.ts'
import { hashOf } from '../plan/hashing.ts'
import { type RoomOnFloor, roomOnFloor } from '../state/floor-state.ts'
import type { Occupant } from '../state/occupant.ts'
import { useOnFloor } from '../state/use-floor.ts'
import { Face } from './face.tsx'
import { lengths } from './lengths.ts'
import { RoomDrawing } from './room-drawing.tsx'
import { type SeatedFace, useSeats } from './use-seats.ts'

export interface RoomOnPlanProps {
  cell: Cell
  furniture: Furniture
}

/** A room at its place. Who comes in makes it another one, and nothing around it. */
export const RoomOnPlan = memo(function RoomOnPlan({ cell, furniture }: RoomOnPlanProps) {
  const here = useOnFloor((floor) => roomOnFloor(floor, cell.room.id))
  return here ? <Drawn {...{ cell, furniture, here }} /> : null
})

function Drawn({ cell, furniture, here }: RoomOnPlanProps & { here: RoomOnFloor }) {
  const words = useFloorWords()
  const { room, people, atDoor } = here
  const seats = seatsFor(furniture, people.length)
  const wanted = (one: Occupant) => (room.kind === 'stage' ? stageSeat(one, seats.at.length) : undefined)
  const { faces, more } = useSeats(people, seats, wanted)
  const screen = placeOfScreen(here, faces, seats, { cell, furniture })
  const { x, y, width, height, door } = cell
  return (
    <section
      className={classNames(
        'room',
        `room-${room.kind}`,
        people.length > 0 && 'room-lit',
        room.locked && 'room-locked',
        seats !== furniture.seats[0] && 'room-crowded',
      )}
      style={lengths({ x, y, width, height, face: seats.face, ...doorstep(cell), 'door-at': door.at })}
      aria-label={labelOf(here, words)}
      data-room={room.id}
    >
      <RoomDrawing cell={cell} furniture={furniture} />
      {screen.at && <Screen {...screen.at} />}
      <RoomName room={room} isYours={room.ownerId !== null} isShared={screen.isShared && !screen.at} />
      {people.length + atDoor.length > 0 && (
        <ul>
          {faces.map(({ occupant, ...seat }) => (
            <Face key={occupant.id} occupant={occupant} {...seat} />
          ))}
          {more > 0 && (
            <li className="more" style={seats.more && lengths({ ...seats.more })}>
              <button type="button" data-face={`more-${room.id}`} data-more={room.id} tabIndex={-1}>
                {words.more(more)}
              </button>
            </li>
          )}
          {atDoor.map((occupant, at) => (
            <Face key={occupant.id} occupant={occupant} {...outside(cell, at)} isAtDoor />
          ))}
        </ul>
      )}
    </section>
  )
}

interface RoomNameProps {
  room: Room
  isYours: boolean
  /** A screen is, and stands at no place of the room. */
  isShared: boolean
}

const RoomName = memo(function RoomName({ room, isYours, isShared }: RoomNameProps) {
  const words = useFloorWords()
  return (
    <h3>
      <button type="button" data-place={room.id} tabIndex={-1}>
        {room.name}
      </button>
      {room.locked && <Icon name="lock" size={15} />}
      {room.sealed && (
        <span title={words.sealed} aria-hidden="true">
          <Icon name="administration" size={15} />
        </span>
      )}
      {room.recording && (
        <span className="room-recording" aria-hidden="true">
          {words.rec}
        </span>
      )}
      {isShared && <Icon name="screen" size={15} />}
      {room.agents.length > 0 && (
        <span className="room-bots" title={room.agents.map(({ name }) => name).join(', ')}>
          <Icon name="bot" size={15} />
          {room.agents.length > 1 && room.agents.length}
        </span>
      )}
      {isYours && <span className="room-note">{words.yours}</span>}
    </h3>
  )
})

/** At the presenter's desk in rooms with desks; else where the furniture has a place for it, or beside the people. */
function placeOfScreen(
  { room, people }: RoomOnFloor,
  faces: readonly SeatedFace[],
  { at: seats, face, more }: Seats,
  { cell, furniture }: RoomOnPlanProps,
): { isShared: boolean; at?: Point | undefined } {
  const isShared = people.some(shares)
  if (!isShared) return { isShared }
  const sharing = faces.find(({ occupant }) => shares(occupant))
  const hasDesks = room.kind === 'office' || room.kind === 'focus' || room.kind === 'desk'
  const wish = hasDesks && sharing ? { x: sharing.x, y: sharing.y - DESK_BEFORE } : furniture.screen
  return { isShared, at: screenPlace({ wish, sharing, faces, seats, more, face, room: cell }) }
}

/** From the middle of a face to that of the screen behind it. */
const DESK_BEFORE = 26

const shares = ({ marks }: Occupant) => marks.includes('screen')

function Screen({ x, y }: Point) {
  return (
    <svg className="screen-shared" style={lengths({ x, y })} viewBox="0 0 44 28" aria-hidden="true">
      <rect x="1" y="1" width="42" height="26" rx="3" />
      <path d="M7 20l6-7 5 4 6-9 6 6 7-5" />
    </svg>
  )
}

/** The first seat is on the stage, for a person who presents or speaks. The others sit before it. */
function stageSeat({ id, marks }: Occupant, seats: number): number {
  const shows = marks.includes('screen') || marks.includes('camera') || !marks.includes('muted')
  return shows || seats < 2 ? 0 : 1 + (hashOf(id) % (seats - 1))
}

/** The point of the door that a person enters from. */
function doorstep({ width, height, side, door }: Cell): { 'from-x': number; 'from-y': number } {
  if (side === 'left' || side === 'right')
    return { 'from-x': side === 'right' ? width : 0, 'from-y': door.at }
  return { 'from-x': door.at, 'from-y': side === 'down' ? height : 0 }
}

/** The place of a person who waits at the door, in the hall; the next one stands beside. */
function outside({ width, height, side, door }: Cell, at: number): { x: number; y: number } {
  if (side === 'left' || side === 'right')
    return { x: side === 'right' ? width + HALL_WIDTH / 2 : -HALL_WIDTH / 2, y: door.at + at * 36 }
  return { x: door.at - at * 44, y: side === 'down' ? height + 22 : -22 }
}

function labelOf({ room, people, atDoor }: RoomOnFloor, words: typeof en): string {
  const isShared = people.some(({ marks }) => marks.includes('screen'))
  return [
    room.name,
    words.kinds[room.kind],
    people.length === 0 ? words.nobodyInside : words.insideCount(people.length),
    ...(room.agents.length > 0 ? [words.botsNamed(room.agents.map(({ name }) => name))] : []),
    ...(room.locked ? [words.locked] : []),
    ...(room.sealed ? [words.sealed] : []),
    ...(room.recording ? [words.recorded] : []),
    ...(isShared ? [words.isShared] : []),
    ...(atDoor.length > 0 ? [words.atDoor(atDoor.length)] : []),
  ].join(', ')
}
