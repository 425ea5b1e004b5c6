import type { Room } from '@atrium/client/rooms'

export type RoomKind = Room['kind']

/** What geometry knows of a room. Who is inside is not among it: people move, rooms do not. */
export interface PlanRoom {
  id: string
  kind: RoomKind
  seats: number | null
  /** A place where a room could be built. */
  isPlot?: boolean
  /** Of a plot, among the rooms and plots of its kind: no two of them are called the same. */
  number?: number
}

/** Seats of a room where none were given. */
const USUAL_SEATS: Record<RoomKind, number> = {
  desk: 1,
  focus: 2,
  office: 6,
  meeting: 6,
  lounge: 8,
  kitchen: 10,
  stage: 20,
}
/** The width that a room would like, by its seats: up to so many, so wide. */
const WIDTHS: readonly (readonly [seats: number, width: number])[] = [
  [2, 150],
  [4, 176],
  [6, 204],
  [8, 236],
  [12, 292],
]
const WIDTH_MAX = 330
const STAGE_WIDTH = 300

export function capacityOf({ kind, seats }: PlanRoom): number {
  return seats ?? USUAL_SEATS[kind]
}

export function wishWidth(room: PlanRoom): number {
  if (room.kind === 'stage') return STAGE_WIDTH
  const capacity = capacityOf(room)
  return WIDTHS.find(([seats]) => capacity <= seats)?.[1] ?? WIDTH_MAX
}

/** Two of them in a row share a column. */
export function isSmall(room: PlanRoom): boolean {
  return (room.kind === 'focus' || room.kind === 'desk') && capacityOf(room) <= 2
}
