import type { Person } from '@atrium/client/people'
import type { Room } from '@atrium/client/rooms'
import { Link } from '@tanstack/react-router'
import { pagePaths } from '../../../page-paths.ts'
import { isCalled } from '../../live/matching.ts'
import { Card } from '../../ui/card.tsx'
import { LongList } from '../../ui/long-list.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { useFloorWords } from '../../words/floor.ts'
import { ColleagueRow } from './colleague-row.tsx'
import { floorGroups } from './floor-groups.ts'

export interface ColleaguesProps {
  people: readonly Person[]
  rooms: readonly Room[]
  ownId: string
  text: string
}

export function Colleagues({ people, rooms, ownId, text }: ColleaguesProps) {
  const words = useFloorWords()
  const found = people.filter((person) => isCalled(person, text))
  const { around, offline, bots } = floorGroups(found, ownId)
  const isAlone = people.every(({ id, isBot }) => isBot || id === ownId)
  return (
    <Card title={words.colleagues}>
      {isAlone && (
        <EmptyState icon="people" title={words.alone}>
          <p>{words.aloneAbout}</p>
          <Link to={pagePaths.members} className="button">
            {words.invite}
          </Link>
        </EmptyState>
      )}
      {!isAlone && around.length + offline.length + bots.length === 0 && (
        <EmptyState icon="search" title={words.noMatch(text.trim())} />
      )}
      <Group rooms={rooms} title={words.around} people={around} />
      <Group rooms={rooms} title={words.offline} people={offline} />
      <Group rooms={rooms} title={words.botsTitle} people={bots} />
    </Card>
  )
}

interface GroupProps extends Pick<ColleaguesProps, 'people' | 'rooms'> {
  title: string
}

function Group({ title, people, rooms }: GroupProps) {
  if (people.length === 0) return null
  const roomName = (roomId: string | undefined) => rooms.find(({ id }) => id === roomId)?.name
  return (
    <div className="floor-group">
      <h3>
        {title} <span className="soft">{people.length}</span>
      </h3>
      <LongList label={title} rows={people} keyOf={({ id }) => id}>
        {(person) => <ColleagueRow person={person} roomName={roomName(person.roomId)} />}
      </LongList>
    </div>
  )
}
