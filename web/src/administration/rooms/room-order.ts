/** What decides where a room stands. */
export interface InOrder {
  id: string
  position: number
}

/** New rooms come so far behind the one before. */
const STEP = 1_000

/**
 * The positions that a move changes: the two rooms take each other's, and no other place changes on the plan. Where both
 * have the same, all are numbered anew. Nothing where there is no room to change places with.
 * @param rooms as they are listed
 */
export function movedBy(rooms: readonly InOrder[], id: string, by: -1 | 1): readonly InOrder[] {
  const at = rooms.findIndex((room) => room.id === id)
  const [moved, other] = [rooms[at], rooms[at + by]]
  if (!moved || !other) return []
  if (moved.position !== other.position)
    return [
      { id: moved.id, position: other.position },
      { id: other.id, position: moved.position },
    ]
  const order = rooms.map((room) => (room === moved ? other : room === other ? moved : room))
  return order
    .map((room, place) => ({ id: room.id, position: (place + 1) * STEP, before: room.position }))
    .filter(({ position, before }) => position !== before)
    .map(({ id: one, position }) => ({ id: one, position }))
}
