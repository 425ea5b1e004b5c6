import type { Room } from '@atrium/client/rooms'
import { memo, Suspense, useState } from 'react'
import { matches } from '../../live/matching.ts'
import { lazyPart } from '../../live/page/patient-import.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { useFloorWords } from '../../words/floor.ts'
import { RoomCard } from './room-card.tsx'

export interface RoomsGridProps {
  rooms: readonly Room[]
  ownId: string
  /** What is searched for: in the names of rooms, and of the people inside. */
  text: string
}

/** Loaded when it is opened first. */
const AddRoom = lazyPart(() => import('../add-room.tsx'), 'AddRoom')

/** What changes of a person outside of rooms draws none of them again. */
export const RoomsGrid = memo(({ rooms, ownId, text }: RoomsGridProps) => {
  const words = useFloorWords()
  const [adding, setAdding] = useState(false)
  const shown = rooms.filter(
    ({ name, people }) => matches(name, text) || people.some(({ displayName }) => matches(displayName, text)),
  )
  return (
    <section aria-labelledby="floor-rooms">
      <div className="floor-head">
        <h2 id="floor-rooms">{words.rooms}</h2>
        <Button small icon="plus" onPress={() => setAdding(true)}>
          {words.addRoom}
        </Button>
      </div>
      {rooms.length === 0 && (
        <EmptyState icon="floor" title={words.noRooms}>
          <p>{words.noRoomsAbout}</p>
        </EmptyState>
      )}
      {rooms.length > 0 && shown.length === 0 && (
        <EmptyState icon="search" title={words.noMatch(text.trim())} />
      )}
      <ul className="floor-rooms">
        {shown.map((room) => (
          <RoomCard key={room.id} room={room} ownId={ownId} />
        ))}
      </ul>
      {adding && (
        <Suspense>
          <AddRoom isOpen onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </section>
  )
})
