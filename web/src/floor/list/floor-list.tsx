import { usePeople, useRooms } from '@atrium/react'
import { useState } from 'react'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { useFloorWords } from '../../words/floor.ts'
import { Colleagues } from './colleagues.tsx'
import { RoomsGrid } from './rooms-grid.tsx'
import './list.css'

export interface FloorListProps {
  ownId: string
  /** Why there is no plan, where one was wanted. */
  about?: string | undefined
}

/** The same office as a list: rooms with the people inside, then all people by status. */
export function FloorList({ ownId, about }: FloorListProps) {
  const words = useFloorWords()
  const { people } = usePeople()
  const { rooms } = useRooms()
  const [text, setText] = useState('')
  return (
    <div className="floor-list">
      {about && <p className="soft floor-list-about">{about}</p>}
      <div className="floor-search">
        <SearchField label={words.search} value={text} onChange={setText} />
      </div>
      <div className="floor">
        <RoomsGrid rooms={rooms} ownId={ownId} text={text} />
        <Colleagues people={people} rooms={rooms} ownId={ownId} text={text} />
      </div>
    </div>
  )
}
