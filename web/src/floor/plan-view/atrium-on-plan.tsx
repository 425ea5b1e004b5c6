import { memo, useMemo } from 'react'
import { useFloorWords } from '../../words/floor.ts'
import type { Zone } from '../plan/atrium.ts'
import { type Seats, seatsFor } from '../plan/furniture/furnish.ts'
import type { OfficePlan } from '../plan/office-plan.ts'
import type { RoomOnFloor } from '../state/floor-state.ts'
import { useOnFloor } from '../state/use-floor.ts'
import { AtriumDrawing } from './atrium-drawing.tsx'
import { Face } from './face.tsx'
import { lengths } from './lengths.ts'
import { TABLE_WIDTH, TableInAtrium } from './table-in-atrium.tsx'
import { useSeats } from './use-seats.ts'

/** The hall in the middle, where everybody is who is in no room. */
export function AtriumOnPlan({ building, atrium, isAlone }: OfficePlan & { isAlone: boolean }) {
  const { x, y, width, height } = building.atrium
  return (
    <div className="atrium" style={lengths({ x, y, width, height })}>
      {atrium ? (
        <>
          <AtriumDrawing {...{ width, height, isAlone }} drawing={atrium.drawing} />
          {atrium.zones
            .filter(({ key }) => !isAlone || key === 'atrium')
            .map((zone) => (
              <ZoneOnPlan key={zone.key} zone={zone} />
            ))}
        </>
      ) : (
        <AtriumList />
      )}
    </div>
  )
}

const ZoneOnPlan = memo(function ZoneOnPlan({ zone }: { zone: Zone }) {
  const words = useFloorWords()
  const people = useOnFloor(({ zones }) => zones[zone.key])
  const offline = useOnFloor(({ counts }) => (zone.key === 'arrivals' ? counts.offline : 0))
  const tables = useOnFloor((state) => (zone.key === 'atrium' ? state.tables : NO_TABLES))
  const withoutTables = useMemo(() => beforeTables(zone, tables.length), [zone, tables.length])
  const seats = seatsFor(withoutTables, people.length)
  const { faces, more } = useSeats(people, seats, ({ isOwn }) => (isOwn ? 0 : undefined))
  const name = words.zones[zone.key]
  return (
    <section
      className="zone"
      style={lengths({ face: seats.face })}
      aria-label={`${name}, ${people.length}`}
      data-zone={zone.key}
    >
      <h3 style={lengths({ ...zone.heading })}>
        <button type="button" data-place={`zone-${zone.key}`} tabIndex={-1}>
          {name} {people.length > 0 && <strong>{people.length}</strong>}
        </button>
      </h3>
      <ul>
        {faces.map(({ occupant, ...seat }) => (
          <Face key={occupant.id} occupant={occupant} {...seat} />
        ))}
        {more > 0 && (
          <li className="more" style={lengths({ x: zone.end, y: zone.heading.y })}>
            <button type="button" data-face={`more-${zone.key}`} data-more={zone.key} tabIndex={-1}>
              {words.more(more)}
            </button>
          </li>
        )}
      </ul>
      {tables.map((table, at) => (
        <TableInAtrium key={table.room.id} table={table} zone={zone} at={at} />
      ))}
      {offline > 0 && (
        <p className="zone-offline" style={lengths({ x: 22, y: zone.foot })}>
          {words.offlineCount(offline)}
        </p>
      )}
    </section>
  )
})

const NO_TABLES: readonly RoomOnFloor[] = []

/** Tables take the end of the atrium. */
function beforeTables(zone: Zone, tables: number): Pick<Zone, 'seats'> {
  if (tables === 0) return zone
  const end = zone.end - TABLE_WIDTH * tables
  const fit = (seats: Seats): Seats => ({
    ...seats,
    at: seats.at.filter(({ x }) => x + seats.face / 2 < end),
  })
  const [roomy, ...dense] = zone.seats
  return { seats: [fit(roomy), ...dense.map(fit)] }
}

/** In a narrow window: everybody in one line that is moved sideways. */
function AtriumList() {
  const words = useFloorWords()
  const zones = useOnFloor((state) => state.zones)
  const tables = useOnFloor((state) => state.tables)
  const people = [
    ...tables.flatMap((table) => table.people),
    ...zones.atrium,
    ...zones.arrivals,
    ...zones.elsewhere,
    ...zones.quiet,
  ]
  const name = words.zones.atrium
  return (
    <section className="zone zone-line" aria-label={`${name}, ${people.length}`} data-zone="atrium">
      <h3>
        <button type="button" data-place="zone-atrium" tabIndex={-1}>
          {name} <strong>{people.length}</strong>
        </button>
      </h3>
      <ul>
        {people.map((occupant) => (
          <Face key={occupant.id} occupant={occupant} x={0} y={0} />
        ))}
      </ul>
    </section>
  )
}
