import { type CalendarEnd, finishCalendar } from '@atrium/client/calendar-connection'
import { useEffect, useState } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { client } from '../live/office-client.ts'
import { sentenceOf } from '../live/problem.ts'
import { saidOf } from '../live/text/said-of.ts'
import { Outside } from '../shell/outside/outside.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Loading } from '../ui/state.tsx'
import { useCalendarWords } from '../words/calendar.ts'
import { useProblemsWords } from '../words/problems.ts'

/** A code works once: a second rendering waits for the same answer. */
let finishing: Promise<CalendarEnd> | undefined

/** Where everybody comes back from connecting a calendar: the code leaves the address bar at once. */
export function CalendarCompleteScreen() {
  const words = useCalendarWords()
  const problems = useProblemsWords()
  const [end, setEnd] = useState<CalendarEnd | { state: 'failed'; sentence: string }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    finishing ??= finishCalendar(client)
    finishing.then(setEnd, (error: unknown) =>
      setEnd({ state: 'failed', sentence: sentenceOf(error, problems) }),
    )
  }, [])
  return (
    <Outside>
      {!end ? (
        <>
          <PageHeading title={words.connecting} />
          <Loading label={words.connecting} />
        </>
      ) : (
        <>
          <PageHeading
            key={end.state}
            title={end.state === 'connected' ? words.isConnected : words.notConnected}
            about={aboutEnd(end)}
          />
          <a className="button button-primary" href={pagePaths.calendar}>
            {words.toCalendar}
          </a>
        </>
      )}
    </Outside>
  )

  function aboutEnd(one: NonNullable<typeof end>): string {
    if (one.state === 'failed') return one.sentence
    if (one.state === 'connected') return words.isConnectedAbout
    if (one.state === 'nothing') return words.nothingToFinish
    return saidOf(words.refusals, one.error) ?? words.refused
  }
}
