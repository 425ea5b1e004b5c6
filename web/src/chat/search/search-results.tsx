import { useConversations, usePeople } from '@atrium/react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { pagePaths } from '../../../page-paths.ts'
import { officeNow } from '../../live/office-client.ts'
import { timeOf } from '../../shell/status/status-words.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { EmptyState, Loading, Problem } from '../../ui/state.tsx'
import { useChatWords } from '../../words/chat.ts'
import { nameOf, senderOf } from '../conversation-names.ts'
import { useMentionName } from '../text/mention-name.ts'
import { excerpt } from './excerpt.ts'
import { type Query, type Search, useSearch } from './use-search.ts'
import './search.css'

const DAYS = { any: 0, week: 7, month: 31, year: 366 } as const
type Time = keyof typeof DAYS
const DAY_MS = 86_400_000

/** What was found, with what narrows it down. */
export function SearchResults({ text }: { text: string }) {
  const { search: words } = useChatWords()
  const { query, filters } = useQueryOf(text)
  const { hits, isKnown, problem, more } = useSearch(query)
  return (
    <section className="search-results" aria-label={words.results}>
      {filters}
      <p role="status" className="small soft">
        {isKnown && words.found(hits.length, more !== undefined)}
      </p>
      <Problem>{problem}</Problem>
      {!isKnown && problem === undefined && <Loading label={words.searching} />}
      {isKnown && hits.length === 0 && <EmptyState icon="search" title={words.none} />}
      <ul className="chat-rows">
        {hits.map((hit) => (
          <Hit key={hit.message.message_id} hit={hit} />
        ))}
      </ul>
      {more && (
        <Button small look="quiet" busy={more.busy} onPress={() => void more.run()}>
          {words.more}
        </Button>
      )}
    </section>
  )
}

/** The words, and by which conversation, person and time. */
function useQueryOf(text: string) {
  const words = useChatWords()
  const { search: said } = words
  const { rows } = useConversations()
  const { people } = usePeople()
  const [conversation, setConversation] = useState('')
  const [person, setPerson] = useState('')
  const [time, setTime] = useState<Time>('any')
  const [asOf] = useState(() => officeNow())
  const query: Query = {
    query: text,
    ...(conversation !== '' && { conversationId: Number(conversation) }),
    ...(person !== '' && { userId: person }),
    ...(time !== 'any' && { from: new Date(Number(asOf) - DAYS[time] * DAY_MS).toISOString() }),
  }
  const filters = (
    <div className="search-filters">
      <Select
        label={said.where}
        labelHidden
        value={conversation}
        onChange={setConversation}
        options={[
          { id: '', label: said.anywhere },
          ...rows.map((row) => ({ id: String(row.conversation_id), label: nameOf(row, words) })),
        ]}
      />
      <Select
        label={said.who}
        labelHidden
        value={person}
        onChange={setPerson}
        options={[
          { id: '', label: said.anyone },
          ...people.map(({ id, displayName, email }) => ({ id, label: displayName || email })),
        ]}
      />
      <Select<Time>
        label={said.when}
        labelHidden
        value={time}
        onChange={setTime}
        options={(Object.keys(DAYS) as Time[]).map((id) => ({ id, label: said.times[id] }))}
      />
    </div>
  )
  return { query, filters }
}

function Hit({ hit: { message, highlights } }: { hit: Search['hits'][number] }) {
  const words = useChatWords()
  const { people } = usePeople()
  const { rows } = useConversations()
  const mentionName = useMentionName()
  const row = rows.find(({ conversation_id }) => conversation_id === message.conversation_id)
  const { name } = senderOf(String(message.sender_id), people, row, words, message.guest)
  return (
    <li>
      <Link
        to={pagePaths.conversation}
        params={{ conversationId: String(message.conversation_id) }}
        state={{ message: message.message_id }}
        className="chat-row search-hit"
      >
        <span className="search-hit-head">
          <strong>{name}</strong> {row && <span className="soft">{words.search.in(nameOf(row, words))}</span>}{' '}
          <time dateTime={message.created_at}>{timeOf(message.created_at, officeNow())}</time>
        </span>
        <span className="search-hit-text">
          {excerpt(message.content, highlights, mentionName).map(({ text, isHit }, at) =>
            isHit ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text keep their order
              <mark key={at}>{text}</mark>
            ) : (
              text
            ),
          )}
        </span>
      </Link>
    </li>
  )
}
