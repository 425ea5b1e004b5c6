import type { SuccessBody } from '@atrium/client'
import { useRooms } from '@atrium/react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMay } from '../live/permissions.ts'
import { reading } from '../live/queries.ts'
import { Answer } from '../shell/answer.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { EmptyState } from '../ui/state.tsx'
import { dateAndTime } from '../words/date-and-time.ts'
import { useFilmWords } from '../words/film.ts'
import { FilmPlayer } from './film-player.tsx'
import { NameCard } from './name-card.tsx'
import { ShareCard } from './share-card.tsx'
import './recordings.css'

/** One recording, to watch. */
export function RecordingScreen() {
  const words = useFilmWords()
  const { recordingId = '' } = useParams({ strict: false })
  const query = useQuery(reading('getRecording', { recordingId }))
  const { rooms } = useRooms()
  const recording = query.data
  const room = rooms.find(({ id }) => id === recording?.roomId)?.name
  const title = recording?.name || recording?.conferenceTopic || room || words.recording
  const about = [room === title ? undefined : room, recording?.startedAt && dateAndTime(recording.startedAt)]
  return (
    <>
      <PageHeading title={title} about={about.filter(Boolean).join(' · ')} />
      <Answer query={query} words={words}>
        {(found) => <Watching recording={found} title={title} />}
      </Answer>
    </>
  )
}

interface WatchingProps {
  recording: SuccessBody<'getRecording'>
  title: string
}

function Watching({ recording, title }: WatchingProps) {
  const words = useFilmWords()
  const may = useMay()
  const isHere = recording.state === 'completed' && recording.stored === 'here'
  return (
    <div className="film-page">
      {isHere ? (
        <FilmPlayer key={recording.id} recording={recording} title={title} />
      ) : (
        <EmptyState icon="record" title={words.nothingToWatch} />
      )}
      {may('RecordRoom') && (
        <div className="film-cards">
          <NameCard recording={recording} />
          {isHere && <ShareCard recording={recording} />}
        </div>
      )}
    </div>
  )
}
