import type { PlanRoom, RoomKind } from './plan-room.ts'
import { columnsOf } from './rows.ts'

export interface PlacedRoom extends PlanRoom {
  position: number
}

/** An office of fewer columns shows where rooms could be built. */
const COLUMNS_LEAST = 6
/** What is suggested where the office has none. None of them shares a column. */
const SUGGESTED: readonly RoomKind[] = ['lounge', 'stage', 'kitchen', 'meeting']
/** And after them, however many there are: it is suggested as before when one was built. */
const ANOTHER: RoomKind = 'office'
/** New rooms come so far behind the one before. */
const STEP = 1_000

/**
 * The rooms with plots among them, in the order of the office. A plot lies at a position that no room has: a room built
 * there stands where the plot lay, and no other place changes.
 */
export function withPlots(rooms: readonly PlacedRoom[]): PlacedRoom[] {
  const missing = Math.max(0, COLUMNS_LEAST - columnsOf(rooms).length)
  const taken = new Set(rooms.map(({ position }) => position))
  const kinds = SUGGESTED.filter((kind) => !rooms.some((room) => room.kind === kind))
  const plots: PlacedRoom[] = []
  for (let position = STEP; plots.length < missing; position += STEP) {
    if (taken.has(position)) continue
    const kind = kinds[plots.length] ?? ANOTHER
    const number = [...rooms, ...plots].filter((one) => one.kind === kind).length + 1
    plots.push({ id: `plot-${position}`, kind, seats: null, isPlot: true, number, position })
  }
  return [...rooms, ...plots].sort((one, other) => one.position - other.position)
}
