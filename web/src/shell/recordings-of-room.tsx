import { useQuery } from '@tanstack/react-query'
import { reading } from '../live/queries.ts'
import { useRecordingsWords } from '../words/recordings.ts'
import { AnswerList } from './answer.tsx'
import { RecordingRow } from './recording-row.tsx'

const SHOWN = 20

/** What was recorded in a room, newest first. */
export function RecordingsOfRoom({ roomId }: { roomId: string }) {
  const words = useRecordingsWords()
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
