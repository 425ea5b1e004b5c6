import { useOffice, usePeople, useRooms } from '@atrium/react'
import { useState } from 'react'
import { useSession } from '../live/use-session.ts'
import { Failed } from '../shell/failed.tsx'
import { SearchField } from '../ui/fields/search-field.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Loading } from '../ui/state.tsx'
import { de } from '../words/de/floor.ts'
import { en } from '../words/en/floor.ts'
import { useWords } from '../words/use-words.ts'
import { Colleagues } from './colleagues.tsx'
import { floorGroups } from './floor-groups.ts'
import { RoomsGrid } from './rooms-grid.tsx'
import './floor.css'

/** Who is around, and who is where. */
export function FloorScreen() {
  const words = useWords({ en, de })
  const office = useOffice()
  const session = useSession()
  const people = usePeople()
  const rooms = useRooms()
  const [text, setText] = useState('')
  const ownId = session.state === 'signed-in' ? session.user.id : ''
  const loaded = people.loaded && rooms.loaded
  const { around } = floorGroups(people.people, ownId)
  const inRooms = around.filter(({ activity }) => activity === 'in-room').length
  const readAgain = async () => {
    const { present } = office.get()
    await Promise.all([present?.people.refresh(), present?.rooms.refresh()])
  }
  const failed = !loaded && (people.error ?? rooms.error) !== undefined
  return (
    <>
      <PageHeading title={words.title} about={loaded ? words.summary(around.length, inRooms) : '\u00a0'}>
        <div className="floor-search">
          <SearchField label={words.search} value={text} onChange={setText} />
        </div>
      </PageHeading>
      {failed && <Failed title={words.failed} onAgain={readAgain} />}
      {!loaded && !failed && <Loading label={words.loading} />}
      {loaded && (
        <div className="floor">
          <RoomsGrid rooms={rooms.rooms} ownId={ownId} text={text} />
          <Colleagues people={people.people} rooms={rooms.rooms} ownId={ownId} text={text} />
        </div>
      )}
    </>
  )
}
