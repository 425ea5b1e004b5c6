import { useEffect, useRef } from 'react'
import { NAME_WIDTH } from '../plan/furniture/drawing.ts'
import type { Seats } from '../plan/furniture/furnish.ts'
import { nameWidth } from '../plan/furniture/name-width.ts'
import { type Seating, seated } from '../plan/seating.ts'
import type { Occupant } from '../state/occupant.ts'

export interface SeatedFace {
  occupant: Occupant
  x: number
  y: number
  walks: boolean
  /** As wide as the name may be beside the others who are there. */
  nameWidth: number
}

/**
 * The faces of a place at their seats, in reading order, and the number of people without a seat. People keep their
 * seats as long as the place has the same ones.
 */
export function useSeats(
  people: readonly Occupant[],
  seats: Seats,
  wanted?: (occupant: Occupant) => number | undefined,
): { faces: readonly SeatedFace[]; more: number } {
  const kept = useRef<{ seats: Seats; seating: Seating } | undefined>(undefined)
  const before = kept.current?.seats.at[0] === seats.at[0] ? kept.current?.seating : undefined
  const byId = new Map(people.map((one) => [one.id, one]))
  const seating = seated(
    before ?? new Map(),
    people.map(({ id }) => id),
    seats.at.length,
    (id) => {
      const occupant = byId.get(id)
      return occupant && wanted?.(occupant)
    },
  )
  const walkers = useWalkers(people)
  useEffect(() => {
    kept.current = { seats, seating }
  })
  const faces = people.flatMap((occupant): SeatedFace[] => {
    const seat = seats.at[seating.get(occupant.id) ?? -1]
    return seat ? [{ occupant, ...seat, walks: walkers.has(occupant.id), nameWidth: NAME_WIDTH }] : []
  })
  const taken = seats.more ? [...faces, seats.more] : faces
  for (const one of faces) one.nameWidth = nameWidth(one, taken, seats.face, seats.width)
  faces.sort((one, other) => one.y - other.y || one.x - other.x)
  return { faces, more: people.length - faces.length }
}

/** Who has come since the place was drawn first. */
function useWalkers(people: readonly Occupant[]): ReadonlySet<string> {
  const drawn = useRef<ReadonlySet<string> | undefined>(undefined)
  const known = drawn.current
  useEffect(() => {
    drawn.current = new Set(people.map(({ id }) => id))
  })
  return new Set(known ? people.map(({ id }) => id).filter((id) => !known.has(id)) : [])
}
