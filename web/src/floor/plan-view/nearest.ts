export type Direction = 'up' | 'down' | 'left' | 'right'

export interface Place {
  x: number
  y: number
}

const ALONG: Record<Direction, (from: Place, to: Place) => number> = {
  up: (from, to) => from.y - to.y,
  down: (from, to) => to.y - from.y,
  left: (from, to) => from.x - to.x,
  right: (from, to) => to.x - from.x,
}

/**
 * The place that an arrow leads to: the nearest one with its middle within 45° of the direction; where there is none,
 * the next in order, or the one before. @returns its index; undefined where there is no other place
 */
export function nearestPlace(places: readonly Place[], at: number, direction: Direction): number | undefined {
  const from = places[at]
  if (!from || places.length < 2) return undefined
  let best: { index: number; distance: number } | undefined
  for (const [index, to] of places.entries()) {
    const along = ALONG[direction](from, to)
    const distance = Math.hypot(to.x - from.x, to.y - from.y)
    // as far aside as along at most
    if (index === at || along <= 0 || along * Math.SQRT2 < distance - 1e-9) continue
    if (!best || distance < best.distance) best = { index, distance }
  }
  if (best) return best.index
  const step = direction === 'down' || direction === 'right' ? 1 : -1
  return (at + step + places.length) % places.length
}
