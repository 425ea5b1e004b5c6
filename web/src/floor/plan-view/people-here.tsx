import { PersonName } from '../../shell/colleague/person-name.tsx'
import { List, ListRow } from '../../ui/list.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useFloorWords } from '../../words/floor.ts'
import { zoneKeys } from '../plan/atrium.ts'
import type { Occupant } from '../state/occupant.ts'
import { useOnFloor } from '../state/use-floor.ts'
import { SmallFace } from './face.tsx'

/** Everybody at a place that has not a seat for each of them. */
export function PeopleHere({ place, onClose }: { place: string; onClose(): void }) {
  const words = useFloorWords()
  const zone = zoneKeys.find((key) => key === place)
  const room = useOnFloor(({ rooms }) => rooms.find((one) => one.room.id === place))
  const zones = useOnFloor((state) => state.zones)
  const people: readonly Occupant[] = zone ? zones[zone] : (room?.people ?? [])
  const title = zone ? words.zones[zone] : (room?.room.name ?? '')
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <List label={words.peopleIn(title)}>
        {people.map((one) => (
          <ListRow
            key={one.id}
            before={<SmallFace occupant={one} />}
            title={one.isGuest ? words.guest : <PersonName userId={one.id} name={one.name} />}
            about={one.marks.map((mark) => words.marks[mark]).join(' · ')}
          />
        ))}
      </List>
    </Dialog>
  )
}
