import type { Building, Cell, Hall } from './building.ts'
import { NAME_HEIGHT } from './furniture/drawing.ts'
import { capacityOf, type PlanRoom } from './plan-room.ts'

/** The building of a narrow window: folded along its corridor, the atrium at the top. */

const ATRIUM_HEIGHT = 98
export const HALL_WIDTH = 32
const DOOR = { at: 21, width: 24 }
export const FOLDED_FACE = 32
export const FOLDED_TOP = 34
export const FOLDED_ROW = FOLDED_FACE + NAME_HEIGHT + 2
const ROWS_MOST = 3
const STAGE_ROWS = 2

export function foldedRows(room: PlanRoom): number {
  if (room.kind === 'stage') return STAGE_ROWS
  return Math.min(ROWS_MOST, Math.ceil(capacityOf(room) / foldedAcross(room)))
}

export function foldedAcross(room: PlanRoom): number {
  return capacityOf(room) <= 2 ? 2 : 3
}

/** Each room comes where there is less above it: left of the hall, or right of it. */
export function foldedBuilding(rooms: readonly PlanRoom[], width: number): Building {
  const wide = Math.floor((width - HALL_WIDTH) / 2)
  const ends = { left: ATRIUM_HEIGHT, right: ATRIUM_HEIGHT }
  const cells: Cell[] = []
  for (const room of rooms) {
    const column = ends.left <= ends.right ? 'left' : 'right'
    const height = FOLDED_TOP + 2 + FOLDED_ROW * foldedRows(room)
    const x = column === 'left' ? 0 : width - wide
    const side = column === 'left' ? ('right' as const) : ('left' as const)
    cells.push({ room, x, y: ends[column], width: wide, height, side, door: DOOR, hasWindows: false })
    ends[column] += height
  }
  const height = Math.max(ends.left, ends.right)
  // both sides end at the same wall
  const last = (side: Cell['side']) => cells.findLast((cell) => cell.side === side)
  for (const cell of [last('right'), last('left')]) if (cell) cell.height = height - cell.y
  const atrium: Hall = { kind: 'atrium', x: 0, y: 0, width, height: ATRIUM_HEIGHT }
  const hall: Hall = {
    kind: 'corridor',
    x: wide,
    y: ATRIUM_HEIGHT,
    width: width - 2 * wide,
    height: height - ATRIUM_HEIGHT,
  }
  return { width, height, rows: 0, cells, halls: [atrium, hall], atrium }
}
