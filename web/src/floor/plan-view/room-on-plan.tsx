import type { Room } from '@atrium/client/rooms'
import { memo, Suspense } from 'react'
import { lazyPart } from '../../live/page/patient-import.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import type { en } from '../../words/en/floor.ts'
import { useFloorWords } from '../../words/floor.ts'
import type { Cell } from '../plan/building.ts'
import { HALL_WIDTH } from '../plan/folded.ts'
import { type Furniture, seatsInRoom } from '../plan/furniture/furnish.ts'
import { hashOf } from '../plan/hashing.ts'
import { type RoomOnFloor, roomOnFloor } from '../state/floor-state.ts'
import { type Occupant, shares } from '../state/occupant.ts'
import { useOnFloor } from '../state/use-floor.ts'
import { Face } from './face.tsx'
import { lengths } from './lengths.ts'
import { RoomDrawing } from './room-drawing.tsx'
import { useSeats } from './use-seats.ts'

/** Asked for when the first screen is shared. */
const SharedScreen = lazyPart(() => import('./around/screen/shared-screen.tsx'), 'SharedScreen')

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
  const seats = seatsInRoom(furniture, people.length)
  const wanted = (one: Occupant) => (room.kind === 'stage' ? stageSeat(one, seats.at.length) : undefined)
  const { faces, more } = useSeats(people, seats, wanted)
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
      {people.some(shares) && (
        <Suspense>
          <SharedScreen
            {...{ room, faces, seats, cell, furniture }}
            sharing={faces.find(({ occupant }) => shares(occupant))}
          />
        </Suspense>
      )}
      <RoomName room={room} isYours={room.ownerId !== null} />
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

const RoomName = memo(function RoomName({ room, isYours }: { room: Room; isYours: boolean }) {
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
  const isShared = people.some(shares)
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
