import type { Side } from '../building.ts'

export interface Point {
  x: number
  y: number
}

/** What stands in a room: path data for each way of drawing. */
export interface Drawing {
  rug: string
  /** Surfaces: tables, desks, sofas. */
  tables: string
  lines: string
  /** Rows of chairs before a stage. */
  rows: string
  plants: string
}

/** A room to be furnished: its own corner is 0, 0. */
export interface Space {
  width: number
  height: number
  side: Side
  capacity: number
  /** Between the name of the room and its walls. */
  inner: { x: number; y: number; width: number; height: number }
  /** Of a face at a seat. */
  face: number
}

export interface Furnished {
  drawing: Partial<Drawing>
  /** Middles of seats; some may turn out to be too near to a wall or to another one. */
  seats: Point[]
  /** Where a shared screen stands. */
  screen: Point
  face: number
}

/** Below a face stands a name: its line, and the gap above it (`plan-view/face.css`). */
export const NAME_HEIGHT = 18
/** As wide as a name becomes where there is room for it. */
export const NAME_WIDTH = 66
/** The name of the room stands above this. */
export const HEADING_HEIGHT = 36
export const FACE_SIZES = [40, 34, 28] as const

export function spaceOf(cell: { width: number; height: number; side: Side }, capacity: number): Space {
  const { width, height, side } = cell
  const inner = { x: 12, y: HEADING_HEIGHT, width: width - 24, height: height - HEADING_HEIGHT - 14 }
  const face = inner.height > 118 && inner.width > 110 ? FACE_SIZES[0] : FACE_SIZES[1]
  return { width, height, side, capacity, inner, face }
}
