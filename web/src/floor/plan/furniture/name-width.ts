import { NAME_HEIGHT, NAME_WIDTH, type Point } from './drawing.ts'

/** Between two names, between a name and a face, and from the middle of a wall. */
const GAP = 3

/**
 * As wide as the name below the face at a seat may be, so that it touches neither another name nor a face beside it.
 * @param width of the room, if walls are around it
 */
export function nameWidth(seat: Point, taken: readonly Point[], face: number, width?: number): number {
  const toWall = width === undefined ? NAME_WIDTH : 2 * (Math.min(seat.x, width - seat.x) - GAP)
  return taken.reduce(
    (least, other) => {
      const aside = Math.abs(other.x - seat.x)
      const below = other.y - seat.y
      if (aside === 0) return least
      if (Math.abs(below) < NAME_HEIGHT) return Math.min(least, aside - GAP)
      // a seat that is lower has its face where the name is
      if (below > 0 && below < face + NAME_HEIGHT) return Math.min(least, 2 * (aside - face / 2 - GAP))
      return least
    },
    Math.min(NAME_WIDTH, toWall),
  )
}
