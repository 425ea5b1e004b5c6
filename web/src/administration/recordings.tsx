import { useQuery } from '@tanstack/react-query'
import { reading } from '../live/queries.ts'
import { AnswerList } from '../shell/answer.tsx'
import { RecordingRow } from '../shell/recording-row.tsx'
import { Card } from '../ui/card.tsx'
import { de } from '../words/de/administration.ts'
import { en } from '../words/en/administration.ts'
import { useWords } from '../words/use-words.ts'

const SHOWN = 20

/** The newest recordings, to watch, to delete, and to keep anybody from deleting. */
export function Recordings() {
  const words = useWords({ en, de })
  const query = useQuery(reading('listRecordings', { limit: SHOWN }))
  return (
    <Card title={words.recordings}>
      <AnswerList
        query={query}
        rows={({ data }) => data}
        label={words.recordings}
        words={words}
        none={words.noRecordings}
      >
        {(recording) => <RecordingRow key={recording.id} recording={recording} mayDelete />}
      </AnswerList>
    </Card>
  )
}
