import { usePeople, useRooms } from '@atrium/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { readingOn } from '../../live/reading-on.ts'
import { Answer } from '../../shell/answer.tsx'
import { Card } from '../../ui/card.tsx'
import { useAdministrationWords } from '../../words/administration.ts'
import { useAuditWords } from '../../words/audit.ts'
import { dateAndTime } from '../../words/date-and-time.ts'
import { type AuditFilter, AuditFilters, EVERYTHING, filterInput } from './audit-filters.tsx'
import { type AuditEntry, actorName, targetName, whatWasDone } from './audit-names.ts'

const PAGE = 50
/** Until it is measured. */
const ENTRY_PX = 38
/** Beyond each edge of what is looked at; so near the last entry the next ones are read. */
const OVERSCAN = 10

/** What was done, by whom and from where, newest first; more of it is read as one scrolls. */
export function AuditTrail() {
  const words = useAdministrationWords()
  const [filter, setFilter] = useState<AuditFilter>(EVERYTHING)
  const query = useInfiniteQuery(readingOn('listAuditLog', { limit: PAGE, ...filterInput(filter) }))
  const people = usePeople()
  const rooms = useRooms()
  // with their names: those that come later would move its columns
  const areNamed = [people, rooms].every(({ loaded, error }) => loaded || error !== undefined)
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query
  return (
    <div className="administration-wide">
      <Card title={words.audit}>
        <AuditFilters filter={filter} onChange={setFilter} />
        <div className="audit-answer">
          <Answer query={areNamed ? query : { ...query, data: undefined }} words={words}>
            {({ pages }) => (
              <Entries
                entries={pages.flatMap(({ data }) => data)}
                hasMore={hasNextPage}
                // what is read again at the moment brings no further page: it is asked for once that is over
                mayAsk={!isFetching && !isFetchNextPageError}
                onMore={() => void fetchNextPage({ cancelRefetch: false })}
              />
            )}
          </Answer>
        </div>
      </Card>
    </div>
  )
}

interface EntriesProps {
  entries: readonly AuditEntry[]
  hasMore: boolean
  /** Nothing is being read, and the last that was asked for has come. */
  mayAsk: boolean
  onMore(): void
}

function Entries({ entries, hasMore, mayAsk, onMore }: EntriesProps) {
  const words = useAdministrationWords()
  const place = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count: entries.length,
    getScrollElement: () => place.current,
    estimateSize: () => ENTRY_PX,
    getItemKey: (index) => entries[index]?.id ?? index,
    overscan: OVERSCAN,
  })
  // entries are of one height, or nearly: a correction of where one has scrolled to would end a scroll that is on its way
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false
  const drawn = virtualizer.getVirtualItems()
  const isNearEnd = (drawn.at(-1)?.index ?? 0) >= entries.length - OVERSCAN
  // biome-ignore lint/correctness/useExhaustiveDependencies: once where one has come, and again for each page
  useEffect(() => {
    if (isNearEnd && hasMore && mayAsk && drawn.length > 0) onMore()
  }, [isNearEnd, hasMore, mayAsk, entries.length])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section ref={place} className="audit" tabIndex={0} aria-label={words.audit}>
      {/* the count of rows is unknown (-1) before all entries are read */}
      <table aria-rowcount={hasMore ? -1 : entries.length + 1}>
        <thead>
          <tr>
            <th scope="col">{words.when}</th>
            <th scope="col">{words.who}</th>
            <th scope="col">{words.what}</th>
            <th scope="col">{words.target}</th>
          </tr>
        </thead>
        <tbody>
          <Space height={drawn[0]?.start ?? 0} />
          {drawn.map(({ key, index }) => (
            <tr key={key} ref={virtualizer.measureElement} data-index={index} aria-rowindex={index + 2}>
              <EntryCells entry={entries[index] as AuditEntry} />
            </tr>
          ))}
          <Space height={virtualizer.getTotalSize() - (drawn.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </section>
  )
}

/** In the place of the entries that are not drawn. */
function Space({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table takes no focus
    <tr aria-hidden="true">
      <td className="audit-space" colSpan={4} style={{ height }} />
    </tr>
  )
}

function EntryCells({ entry }: { entry: AuditEntry }) {
  const words = useAdministrationWords()
  const auditWords = useAuditWords()
  const { people } = usePeople()
  const { rooms } = useRooms()
  const { at, actor, action, target } = entry
  const known = { people, rooms }
  const done = whatWasDone(entry, auditWords)
  const name = targetName(entry, known, auditWords)
  return (
    <>
      <td>{dateAndTime(at)}</td>
      <td title={actor.email}>
        {actorName(entry, known) ?? words.actors[actor.kind]}
        <span className="soft small"> {actor.address}</span>
      </td>
      <td title={`${done} (${action})`}>{done}</td>
      <td title={`${name} (${target.kind} ${target.id})`}>{name}</td>
    </>
  )
}
