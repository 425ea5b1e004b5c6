import { useQuery } from '@tanstack/react-query'
import { reading } from '../../live/queries.ts'
import { AnswerList } from '../../shell/answer.tsx'
import { RecordingRow } from '../../shell/recording-row.tsx'
import { Card } from '../../ui/card.tsx'
import { useRecordingsWords } from '../../words/recordings.ts'

const SHOWN = 5

/** What was recorded in a room last: nothing is shown where nothing was. */
export function RoomRecordings({ roomId }: { roomId: string }) {
  const words = useRecordingsWords()
  const query = useQuery(reading('listRecordings', { roomName: roomId, limit: SHOWN }))
  if (!query.data || query.data.data.length === 0) return null
  return (
    <div className="room-recordings">
      <Card title={words.ofRoom}>
        <AnswerList query={query} rows={({ data }) => data} label={words.ofRoom} words={words}>
          {(recording) => <RecordingRow key={recording.id} recording={recording} />}
        </AnswerList>
      </Card>
    </div>
  )
}
