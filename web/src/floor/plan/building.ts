import type { PlanRoom } from './plan-room.ts'
import { CORRIDOR, type Column, columnsOf, PASSAGE, rowsOf, wishOf } from './rows.ts'

export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

export type Side = 'up' | 'down' | 'left' | 'right'

/** The place of a room in the building. */
export interface Cell extends Rect {
  room: PlanRoom
  /** The wall that its door is in. */
  side: Side
  /** Where along that wall the middle of the door is, and how wide it is. */
  door: { at: number; width: number }
  /** The wall opposite the door is one of the building, with windows. */
  hasWindows: boolean
}

export interface Hall extends Rect {
  kind: 'atrium' | 'corridor' | 'passage'
}

export interface Building {
  width: number
  height: number
  /** 0: folded for a narrow window. */
  rows: number
  /** In the order of the office. */
  cells: readonly Cell[]
  halls: readonly Hall[]
  atrium: Hall
}

export interface BuildingSize {
  width: number
  height: number
  /** As it is now, while its window is dragged. */
  keptRows?: number
}

const ATRIUM = { low: 172, high: 236, highFrom: 1000 }
const DOOR = { width: 36, fromRight: 36 }
/** Beside the first of a pair, as a way to the second. */
const PAIR_PASSAGE = 34
const PAIR_DOOR = 24
/** A building much wider than its rooms wish would be empty. */
const WIDEST = 1.9

/** Walls and doors of an office: rooms above and below the atrium, in the order of the office, further rows at corridors. */
export function buildingOf(rooms: readonly PlanRoom[], size: BuildingSize): Building {
  const atriumHeight = size.height > ATRIUM.highFrom ? ATRIUM.high : ATRIUM.low
  const { rows, height, widest } = rowsOf(columnsOf(rooms), { ...size, atrium: atriumHeight })
  const width = Math.min(size.width, Math.round(widest * WIDEST))
  const above = Math.ceil(rows.length / 2)
  const cells: Cell[] = []
  const halls: Hall[] = []
  let y = 0
  const hall = (kind: Hall['kind'], rect: Rect) => halls.push({ kind, ...rect })
  for (const [at, row] of rows.entries()) {
    const isAbove = at < above
    const isInner = isAbove ? at > 0 : at < rows.length - 1
    const within = { x: 0, y, width: isInner ? width - PASSAGE : width, height }
    for (const placed of placeRow(row, within, { side: isAbove ? 'down' : 'up', isOuter: !isInner })) {
      cells.push(...placed.cells)
      if (placed.passage) hall('passage', placed.passage)
    }
    if (isInner) hall('passage', { x: width - PASSAGE, y, width: PASSAGE, height })
    y += height
    const hallHeight = at === above - 1 ? atriumHeight : at < rows.length - 1 ? CORRIDOR : 0
    if (hallHeight > 0) hall(at === above - 1 ? 'atrium' : 'corridor', { x: 0, y, width, height: hallHeight })
    y += hallHeight
  }
  const atrium = halls.find(({ kind }) => kind === 'atrium') as Hall
  return { width, height: y, rows: rows.length, cells, halls, atrium }
}

interface Placed {
  cells: Cell[]
  passage?: Rect
}

type RowSide = { side: 'up' | 'down'; isOuter: boolean }

/** Shares of the row by what its columns wish, rounded so that no gap is left between them. */
function placeRow(row: readonly Column[], within: Rect, place: RowSide): Placed[] {
  const total = wishOf(row)
  let wished = 0
  return row.map((column) => {
    const left = Math.round((within.width * wished) / total)
    wished += column.wish
    const right = Math.round((within.width * wished) / total)
    const rect = { ...within, x: within.x + left, width: right - left }
    const [first, second] = column.rooms
    return second ? placePair([first, second], rect, place) : { cells: [placeRoom(first, rect, place)] }
  })
}

function placeRoom(room: PlanRoom, rect: Rect, { side, isOuter }: RowSide): Cell {
  const at = rect.width > 150 ? rect.width - DOOR.fromRight : Math.round(rect.width * 0.72)
  return { room, ...rect, side, door: { at, width: DOOR.width }, hasWindows: isOuter }
}

/** The first at the hall, beside a passage that leads to the door of the second. */
function placePair([first, second]: readonly [PlanRoom, PlanRoom], rect: Rect, place: RowSide): Placed {
  const { side, isOuter } = place
  const half = Math.round(rect.height / 2)
  const [near, far] =
    side === 'down'
      ? [
          { y: rect.y + rect.height - half, height: half },
          { y: rect.y, height: rect.height - half },
        ]
      : [
          { y: rect.y, height: half },
          { y: rect.y + half, height: rect.height - half },
        ]
  const width = rect.width - PAIR_PASSAGE
  const at = rect.width - PAIR_PASSAGE / 2 - 2
  return {
    cells: [
      placeRoom(first, { ...rect, ...near, width }, { side, isOuter: false }),
      {
        ...{ room: second, ...rect, ...far, side },
        ...{ door: { at, width: PAIR_DOOR }, hasWindows: isOuter },
      },
    ],
    passage: { ...near, x: rect.x + width, width: PAIR_PASSAGE },
  }
}
