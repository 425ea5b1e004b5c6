import { AtriumError } from '@atrium/client'
import type { CalendarProvider } from '@atrium/client/calendar-connection'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { client } from '../live/office-client.ts'
import { preferences } from '../live/preferences.ts'
import type { ShownEvent } from './days.ts'

/** What is known of the calendars at one provider. */
export type Source =
  | { state: 'connected'; events: readonly ShownEvent[]; missing: readonly string[] }
  /** `consent-wanted`: it was, and the provider wants to be asked again. */
  | { state: 'not-connected' | 'consent-wanted' }

const OPERATIONS = {
  a: {
    calendars: 'listProviderACalendars',
    events: 'listProviderAEvents',
    disconnect: 'disconnectProviderACalendar',
  },
  b: {
    calendars: 'listProviderBCalendars',
    events: 'listProviderBEvents',
    disconnect: 'disconnectProviderBCalendar',
  },
} as const

const KEY = 'calendar'
const MAX_CALENDARS = 50
/** Providers do not say when something changes: it is looked at again while the screen is open. */
const AGAIN_MS = 2 * 60_000

/** The events of a span at one provider. A provider that cannot be reached is an error of the query. */
export function useSource(provider: CalendarProvider, from: Date, to: Date, enabled = true) {
  return useQuery({
    enabled,
    queryKey: [KEY, provider, from.getTime(), to.getTime()],
    queryFn: async () => {
      const source = await readSource(provider, from, to)
      remember(provider, source.state === 'connected')
      return source
    },
    refetchInterval: AGAIN_MS,
  })
}

function remember(provider: CalendarProvider, isConnected: boolean): void {
  const { calendars } = preferences.get()
  if (calendars.includes(provider) === isConnected) return
  const others = calendars.filter((one) => one !== provider)
  preferences.change({ calendars: isConnected ? [...others, provider] : others })
}

/** After something was connected or disconnected. */
export async function readAgain(queries: QueryClient): Promise<void> {
  await queries.invalidateQueries({ queryKey: [KEY] })
}

export async function disconnect(provider: CalendarProvider): Promise<void> {
  await client.call(OPERATIONS[provider].disconnect)
}

async function readSource(provider: CalendarProvider, from: Date, to: Date): Promise<Source> {
  try {
    const calendars = await client.call(OPERATIONS[provider].calendars)
    const span = { timeMin: from.toISOString(), timeMax: to.toISOString() }
    const windows = calendars.slice(0, MAX_CALENDARS).map(({ id }) => ({ calendarId: id, ...span }))
    const answers =
      windows.length === 0 ? [] : await client.call(OPERATIONS[provider].events, { calendars: windows })
    const calendarOf = (calendarId: string) => calendars.find(({ id }) => id === calendarId)
    return {
      state: 'connected',
      missing: answers.flatMap(({ calendarId, error }) =>
        error ? (calendarOf(calendarId)?.name ?? calendarId) : [],
      ),
      events: answers.flatMap(({ calendarId, events }) =>
        events.map((event) => ({
          ...event,
          key: `${provider} ${calendarId} ${event.id}`,
          color: calendarOf(calendarId)?.color ?? '',
          calendarName: calendarOf(calendarId)?.name ?? '',
        })),
      ),
    }
  } catch (error) {
    if (error instanceof AtriumError && error.error === 'calendar-not-connected')
      return { state: 'not-connected' }
    if (error instanceof AtriumError && error.error === 'calendar-reauth-required')
      return { state: 'consent-wanted' }
    throw error
  }
}
