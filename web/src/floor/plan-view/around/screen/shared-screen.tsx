import type { Room } from '@atrium/client/rooms'
import type { Cell } from '../../../plan/building.ts'
import type { Furniture, Seats } from '../../../plan/furniture/furnish.ts'
import { lengths } from '../../lengths.ts'
import type { SeatedFace } from '../../use-seats.ts'
import { screenPlace } from './screen-place.ts'
import './shared-screen.css'

export interface SharedScreenProps {
  room: Room
  /** Of the person who shares, if at a seat. */
  sharing: SeatedFace | undefined
  faces: readonly SeatedFace[]
  seats: Seats
  cell: Cell
  furniture: Furniture
}

/** From the middle of a face to that of the screen behind it. */
const DESK_BEFORE = 26

/**
 * At the presenter's desk in rooms with desks; else where the furniture has a place for it, or beside the people; in a
 * room that is full beside its name.
 */
export function SharedScreen({
  room,
  sharing,
  faces,
  seats: { at, face, more },
  cell,
  furniture,
}: SharedScreenProps) {
  const hasDesks = room.kind === 'office' || room.kind === 'focus' || room.kind === 'desk'
  const wish = hasDesks && sharing ? { x: sharing.x, y: sharing.y - DESK_BEFORE } : furniture.screen
  const place = screenPlace({ wish, sharing, faces, seats: at, more, face, room: cell })
  return (
    <svg
      className={place ? 'screen-shared' : 'screen-shared screen-beside-name'}
      {...(place && { style: lengths({ ...place }) })}
      viewBox="0 0 44 28"
      aria-hidden="true"
    >
      <rect x="1" y="1" width="42" height="26" rx="3" />
      <path d="M7 20l6-7 5 4 6-9 6 6 7-5" />
    </svg>
  )
}
