import type { SuccessBody } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { reading } from '../live/queries.ts'
import { Answer } from '../shell/answer.tsx'
import { SearchField } from '../ui/fields/search-field.tsx'
import { ListRow } from '../ui/list.tsx'
import { LongList } from '../ui/long-list.tsx'
import { useFilmWords } from '../words/film.ts'
import { momentOf } from './speech.ts'
import { type FoundLine, linesOf, linesWith, type Word } from './spoken-lines.ts'

interface TranscriptProps {
  recording: SuccessBody<'getRecording'>
  nameOf(who: Pick<Word, 'userId' | 'guest'>): string
  /** @param at in seconds from the beginning */
  onChoose(at: number): void
}

/** What was said, where it is written down: to be read, searched and gone to. */
export function Transcript({ recording: { id, transcript }, ...rest }: TranscriptProps) {
  const words = useFilmWords()
  if (transcript === null) return null
  return (
    <section className="transcript">
      <h2>{words.transcript}</h2>
      {transcript === 'made' ? (
        <Made recordingId={id} {...rest} />
      ) : (
        <p className="soft" role="status">
          {words.noTranscript[transcript]}
        </p>
      )}
    </section>
  )
}

/** Read once: each time stands in the audit trail, and its words do not change. */
const READ_ONCE = { staleTime: Number.POSITIVE_INFINITY } as const

function Made({ recordingId, ...rest }: { recordingId: string } & Omit<TranscriptProps, 'recording'>) {
  const words = useFilmWords()
  const query = useQuery({ ...reading('readTranscript', { recordingId }), ...READ_ONCE })
  return (
    <Answer query={query} words={{ loading: words.loadingTranscript, failed: words.transcriptUnread }}>
      {(found) => <Lines said={found.words} {...rest} />}
    </Answer>
  )
}

function Lines({ said, nameOf, onChoose }: { said: readonly Word[] } & Omit<TranscriptProps, 'recording'>) {
  const words = useFilmWords()
  const [wanted, setWanted] = useState('')
  const lines = useMemo(() => linesOf(said), [said])
  const found = useMemo(() => linesWith(lines, wanted), [lines, wanted])
  if (lines.length === 0) return <p className="soft">{words.nothingSaid}</p>
  const isSearched = wanted.trim() !== ''
  return (
    <>
      <SearchField label={words.searchTranscript} value={wanted} onChange={setWanted} />
      <p role="status" className="small soft">
        {isSearched && words.found(found.length)}
      </p>
      <LongList label={words.transcript} rows={found} keyOf={({ key }) => key}>
        {(line) => (
          <ListRow
            before={<span className="film-moment">{momentOf(line.from)}</span>}
            title={
              <>
                {(line.isTurn || isSearched) && (
                  <span className="small soft">{nameOf(line.words[0] ?? {})}</span>
                )}
                <Line line={line} onChoose={onChoose} />
              </>
            }
          />
        )}
      </LongList>
    </>
  )
}

function Line({ line: { from, pieces }, onChoose }: { line: FoundLine; onChoose(at: number): void }) {
  return (
    <button type="button" className="spoken-line" onClick={() => onChoose(from)}>
      {pieces.map(({ text, isHit }, at) =>
        isHit ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one line keep their order
          <mark key={at}>{text}</mark>
        ) : (
          text
        ),
      )}
    </button>
  )
}
