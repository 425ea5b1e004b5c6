import type { Cell } from '../building.ts'
import { capacityOf } from '../plan-room.ts'
import { disc } from '../shapes.ts'
import { booth, office } from './desks.ts'
import {
  type Drawing,
  FACE_SIZES,
  type Furnished,
  HEADING_HEIGHT,
  NAME_HEIGHT,
  type Point,
  type Space,
  spaceOf,
} from './drawing.ts'
import { library, lounge, stage } from './lounges.ts'
import { kitchen, meeting } from './tables.ts'

/** Places for faces of one size. */
export interface Seats {
  at: readonly Point[]
  face: number
  /** Of a room: names end at its walls. */
  width?: number
  /** Where it is written how many more there are. */
  more?: Point
}

export interface Furniture {
  drawing: Drawing
  /** Chairs of the furniture's seats, drawn empty. */
  chairs: string
  screen: Point
  /** At the furniture, then in plain grids for more and more people. Never empty. */
  seats: readonly [Seats, ...Seats[]]
}

const NOTHING: Drawing = { rug: '', tables: '', lines: '', rows: '', plants: '' }

/** Furniture and seats of a room: of its kind, its cell and its capacity alone. */
export function furnish(cell: Pick<Cell, 'room' | 'width' | 'height' | 'side'>): Furniture {
  const space = spaceOf(cell, capacityOf(cell.room))
  const { drawing, seats, screen, face } = furnishedAs(cell.room.kind, space)
  const { width } = space
  const own: Seats = { at: apart(seats, face, space), face, width }
  const growing = own.at.length > 0 ? [own] : []
  for (const size of FACE_SIZES.filter((one) => one <= face)) {
    const grid: Seats = { at: apart(gridOf(space, size), size, space), face: size, width }
    if (grid.at.length > (growing.at(-1)?.at.length ?? 0)) growing.push(grid)
  }
  const [first = own, ...more] = growing
  const hasChairs = cell.room.kind !== 'stage' && own.at.length > 0
  return {
    drawing: { ...NOTHING, ...drawing },
    chairs: hasChairs ? own.at.map(({ x, y }) => disc(x, y, face / 2 - 3)).join('') : '',
    screen,
    seats: [first, ...more],
  }
}

/** The seats for so many: where there are none for all, as many as the place holds. */
export function seatsFor({ seats }: Pick<Furniture, 'seats'>, people: number): Seats {
  return seats.find(({ at }) => at.length >= people) ?? seats.at(-1) ?? seats[0]
}

/** The same in a room, where the last seat says how many more there are than seats. */
export function seatsInRoom(furniture: Furniture, people: number): Seats {
  const seats = seatsFor(furniture, people)
  const more = seats.at.at(-1)
  return more && people > seats.at.length ? { ...seats, at: seats.at.slice(0, -1), more } : seats
}

function furnishedAs(kind: Cell['room']['kind'], space: Space): Furnished {
  switch (kind) {
    case 'meeting':
      return meeting(space)
    case 'office':
      return office(space)
    case 'kitchen':
      return kitchen(space)
    case 'lounge':
      return lounge(space)
    case 'stage':
      return stage(space)
    case 'focus':
      return space.capacity <= 2 ? booth(space, false) : library(space)
    case 'desk':
      return space.capacity <= 2 ? booth(space, true) : office(space)
  }
}

/** The seats within the walls of which none is on an earlier one, with their names. */
function apart(seats: readonly Point[], face: number, { width, height }: Space): Point[] {
  const kept: Point[] = []
  for (const seat of seats) {
    const isInside =
      seat.x >= face / 2 + 5 &&
      seat.x <= width - face / 2 - 5 &&
      seat.y - face / 2 >= 28 &&
      seat.y + face / 2 + NAME_HEIGHT <= height
    const touches = (other: Point) =>
      Math.abs(seat.x - other.x) < face + 4 && Math.abs(seat.y - other.y) < face + NAME_HEIGHT
    if (isInside && !kept.some(touches)) kept.push(seat)
  }
  return kept
}

function gridOf({ width, height }: Space, face: number): Point[] {
  const top = HEADING_HEIGHT - 6
  const [wide, high] = [width - 14, height - top - 3]
  const across = Math.max(1, Math.floor(wide / (face + 14)))
  const rows = Math.max(1, Math.floor(high / (face + NAME_HEIGHT + 2)))
  return Array.from({ length: across * rows }, (_, at) => ({
    x: 7 + (wide * ((at % across) + 0.5)) / across,
    y: top + face / 2 + (high / rows) * Math.floor(at / across),
  }))
}
