import type { SuccessBody } from '@atrium/client'
import { usePeople, useRooms } from '@atrium/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readingOnByCount } from '../live/reading-on.ts'
import { AnswerList } from '../shell/answer.tsx'
import { RecordingRow } from '../shell/recording-row.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { SearchField } from '../ui/fields/search-field.tsx'
import { Select } from '../ui/fields/select.tsx'
import { useAdministrationWords } from '../words/administration.ts'

const PAGE = 100
const EVERY_ROOM = 'every'

type Recording = SuccessBody<'listRecordings'>['data'][number]

/** The newest recordings, to watch, to delete, and to keep anybody from deleting. */
export function Recordings() {
  const words = useAdministrationWords()
  const { rooms } = useRooms()
  const [room, setRoom] = useState(EVERY_ROOM)
  const { people } = usePeople()
  const nameOf = (id: string) => people.find((one) => one.id === id)?.displayName ?? ''
  const [text, setText] = useState('')
  const ofRoom = room === EVERY_ROOM ? {} : { roomName: room }
  const query = useInfiniteQuery(readingOnByCount('listRecordings', { limit: PAGE, ...ofRoom }))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const noMatch = hasNextPage ? words.noNewRecordingMatches : words.noRecordingMatches
  const options = [
    { id: EVERY_ROOM, label: words.everyRoom },
    ...rooms.map(({ id, name }) => ({ id, label: name })),
  ]
  return (
    <Card title={words.recordings}>
      <div className="recordings-filters">
        <SearchField label={words.searchRecordings} value={text} onChange={setText} />
        <Select label={words.ofRoom} options={options} value={room} onChange={setRoom} />
      </div>
      <AnswerList
        query={query}
        rows={({ pages }) => pages.flatMap(({ data }) => data.filter((one) => isAbout(one, text, nameOf)))}
        label={words.recordings}
        words={words}
        none={text ? noMatch : words.noRecordings}
      >
        {(recording) => <RecordingRow key={recording.id} recording={recording} mayDelete />}
      </AnswerList>
      {hasNextPage && (
        <Button small busy={isFetchingNextPage} onPress={() => void fetchNextPage({ cancelRefetch: false })}>
          {words.olderRecordings}
        </Button>
      )}
    </Card>
  )
}

/** By what it is called or was about, who was there or was named as being there, or who began it. */
function isAbout(
  {
    name,
    conferenceTopic,
    participants,
    startedBy,
    chapters,
  }: Pick<Recording, 'name' | 'conferenceTopic' | 'participants' | 'startedBy' | 'chapters'>,
  text: string,
  nameOf: (userId: string) => string,
): boolean {
  const there = chapters.map(({ userId, guest }) => (userId ? nameOf(userId) : guest?.name))
  const known = [name, conferenceTopic, participants, nameOf(startedBy), ...there]
    .join(' ')
    .toLocaleLowerCase()
  return known.includes(text.trim().toLocaleLowerCase())
}
