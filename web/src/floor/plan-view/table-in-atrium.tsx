import { memo } from 'react'
import { useFloorWords } from '../../words/floor.ts'
import type { Zone } from '../plan/atrium.ts'
import type { RoomOnFloor } from '../state/floor-state.ts'
import { Face } from './face.tsx'
import { lengths } from './lengths.ts'

export const TABLE_WIDTH = 144
/** From the middle of the table. */
const SEAT = 36

export interface TableInAtriumProps {
  table: RoomOnFloor
  zone: Zone
  /** Tables stand at the end of the atrium, the first one last. */
  at: number
}

/** Where two talk, with a lamp of its own. A press leads there. */
export const TableInAtrium = memo(function TableInAtrium({ table, zone, at }: TableInAtriumProps) {
  const words = useFloorWords()
  const { room, people } = table
  const x = zone.end - TABLE_WIDTH * (at + 0.5)
  const y = zone.seats[0].at[0]?.y ?? 0
  return (
    <section
      className="table"
      style={lengths({ x: x - TABLE_WIDTH / 2, y: y - TABLE_WIDTH / 2, width: TABLE_WIDTH, face: 40 })}
      aria-label={`${words.table}, ${words.insideCount(people.length)}`}
      data-room={room.id}
    >
      <h3 className="visually-hidden">
        <button type="button" data-place={room.id} tabIndex={-1}>
          {room.name}
        </button>
      </h3>
      <span className="table-top" />
      <ul>
        {people.slice(0, 2).map((occupant, seat) => (
          <Face
            key={occupant.id}
            occupant={occupant}
            x={TABLE_WIDTH / 2 + (seat === 0 ? -SEAT : SEAT)}
            y={TABLE_WIDTH / 2}
          />
        ))}
      </ul>
    </section>
  )
})
