import type { CalendarProvider } from '@atrium/contract'
import type { UserId } from '../../../platform/ids.ts'
import { ProviderFailure, Refusal } from '../../../platform/refusal.ts'
import type { CalendarPort } from '../../../ports/calendar.ts'
import { openConnection } from '../connection/calendar-access.ts'
import type { ConnectionNeeds } from '../connection/connection-needs.ts'
import { findConnection } from '../store.ts'
import { type Meeting, meetingsOf } from './meetings.ts'

/** By provider. Absent: nothing is known, as the provider did not answer. */
export type ReadMeetings = Partial<Record<CalendarProvider, Meeting[]>>

const MAIN_CALENDAR = 'primary'

/** When a user is in meetings by the main calendars that they have connected: times and nothing else. */
export async function readMeetings(
  needs: ConnectionNeeds,
  user: UserId,
  span: { from: Date; to: Date },
): Promise<ReadMeetings> {
  const found: ReadMeetings = {}
  for (const [name, port] of Object.entries(needs.calendars)) {
    const provider = name as CalendarProvider
    const meetings = await readOf(needs, { user, provider }, port, span)
    if (meetings) found[provider] = meetings
  }
  return found
}

/** Empty for a calendar that is not connected or needs consent again; undefined where the provider fails. */
async function readOf(
  needs: ConnectionNeeds,
  key: { user: UserId; provider: CalendarProvider },
  port: CalendarPort,
  span: { from: Date; to: Date },
): Promise<Meeting[] | undefined> {
  const connection = await findConnection(needs.db, key, needs.clock.now())
  if (!connection) return []
  try {
    const access = await openConnection(needs, key, port, connection)
    const answer = await access.ask((calendar, token) =>
      calendar.listEvents(token, { calendarId: MAIN_CALENDAR, ...span }),
    )
    return answer.kind === 'answered' ? meetingsOf(answer.value) : []
  } catch (error) {
    if (error instanceof Refusal) return []
    if (!(error instanceof ProviderFailure)) throw error
    needs.log.warn({ err: error }, 'a calendar could not be read for the status of its person')
    return undefined
  }
}
