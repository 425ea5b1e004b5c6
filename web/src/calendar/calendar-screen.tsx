import type { CalendarProvider } from '@atrium/client/calendar-connection'
import { useRealtime } from '@atrium/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { officeNow } from '../live/office-client.ts'
import { reading } from '../live/queries.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { EmptyState, Loading } from '../ui/state.tsx'
import { useCalendarWords } from '../words/calendar.ts'
import { localeNow } from '../words/language.ts'
import { DayList } from './day-list.tsx'
import { daysOf, startOfDay, startOfWeek } from './days.ts'
import { SourceCard } from './source-card.tsx'
import { readAgain, useSource } from './sources.ts'
import './calendar.css'

type View = 'day' | 'week'
const DAYS: Record<View, number> = { day: 1, week: 7 }

/** One's own calendars, a day or a week of them. */
export function CalendarScreen() {
  const words = useCalendarWords()
  const { data: office } = useQuery(reading('describeOffice'))
  const [view, setView] = useState<View>('day')
  const [turn, setTurn] = useState(0)
  useCalendarEvents()
  const count = DAYS[view]
  const first = startOfDay(view === 'day' ? officeNow() : startOfWeek(officeNow()), turn * count)
  const choose = (next: View) => {
    setView(next)
    setTurn(0)
  }
  return (
    <>
      <PageHeading title={words.title} about={spanName(first, count)}>
        <div className="calendar-controls">
          <fieldset className="calendar-views">
            <legend className="visually-hidden">{words.view}</legend>
            {(['day', 'week'] as const).map((one) => (
              <Button
                key={one}
                small
                look={one === view ? 'primary' : 'plain'}
                aria-pressed={one === view}
                onPress={() => choose(one)}
              >
                {words.views[one]}
              </Button>
            ))}
          </fieldset>
          <IconButton small icon="back" label={words.before[view]} onPress={() => setTurn(turn - 1)} />
          <Button small isDisabled={turn === 0} onPress={() => setTurn(0)}>
            {words.today}
          </Button>
          <IconButton small icon="enter" label={words.after[view]} onPress={() => setTurn(turn + 1)} />
        </div>
      </PageHeading>
      {!office && <Loading label={words.loading} />}
      {office?.calendars.length === 0 && <EmptyState icon="calendar" title={words.switchedOff} />}
      {office && office.calendars.length > 0 && <Sources first={first} count={count} />}
    </>
  )
}

function Sources({ first, count }: { first: Date; count: number }) {
  const words = useCalendarWords()
  const { data: office } = useQuery(reading('describeOffice'))
  const to = startOfDay(first, count)
  const offered = (provider: CalendarProvider) => office?.calendars.includes(`provider-${provider}`) === true
  const sources = [
    { provider: 'a' as const, ...useSource('a', first, to) },
    { provider: 'b' as const, ...useSource('b', first, to) },
  ].filter(({ provider }) => offered(provider))
  const isLoading = sources.some(({ data, isError }) => !data && !isError)
  const connected = sources.flatMap(({ data }) => (data?.state === 'connected' ? [data] : []))
  // what stands where depends on whether one is connected
  if (isLoading) return <Loading label={words.loading} />
  return (
    <div className="calendar">
      {connected.length > 0 && (
        <DayList
          days={daysOf(
            connected.flatMap(({ events }) => events),
            first,
            count,
          )}
        />
      )}
      <div className="calendar-sources">
        {sources.some(({ data }) => data?.state === 'not-connected') && (
          <p className="soft calendar-about">{words.connectAbout}</p>
        )}
        {sources.map(({ provider, data, isError, refetch }) => (
          <SourceCard
            key={provider}
            provider={provider}
            source={data}
            failed={isError}
            onAgain={() => void refetch()}
          />
        ))}
      </div>
    </div>
  )
}

/** What was connected elsewhere is shown here. */
function useCalendarEvents(): void {
  const live = useRealtime()
  const queries = useQueryClient()
  useEffect(
    () => live?.on('event', ({ type }) => void (type === 'calendar.changed' && readAgain(queries))),
    [live, queries],
  )
}

function spanName(first: Date, count: number): string {
  const format = new Intl.DateTimeFormat(localeNow(), { weekday: 'long', day: 'numeric', month: 'long' })
  return count === 1 ? format.format(first) : format.formatRange(first, startOfDay(first, count - 1))
}
