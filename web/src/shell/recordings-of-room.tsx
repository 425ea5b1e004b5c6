import { useQuery } from '@tanstack/react-query'
import { reading } from '../live/queries.ts'
import { de } from '../words/de/recordings.ts'
import { en } from '../words/en/recordings.ts'
import { useWords } from '../words/use-words.ts'
import { AnswerList } from './answer.tsx'
import { RecordingRow } from './recording-row.tsx'

const SHOWN = 20

/** What was recorded in a room, newest first. */
export function RecordingsOfRoom({ roomId }: { roomId: string }) {
  const words = useWords({ en, de })
  const query = useQuery(reading('listRecordings', { roomName: roomId, limit: SHOWN }))
  return (
    <AnswerList
      query={query}
      rows={({ data }) => data}
      label={words.ofRoom}
      words={words}
      none={words.noneInRoom}
    >
      {(recording) => <RecordingRow key={recording.id} recording={recording} />}
    </AnswerList>
  )
}
