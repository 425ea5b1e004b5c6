import type { CalendarProvider } from '@atrium/contract'
import { googleCalendar } from '../../../adapters/google-calendar/google-calendar.ts'
import { microsoftCalendar } from '../../../adapters/microsoft-calendar/microsoft-calendar.ts'
import type { ProviderRegistration } from '../../../configuration/config-identity.ts'
import type { RefreshFlights } from '../../../features/calendar/connection/connection-needs.ts'
import { CALENDAR_KEYS } from '../../../features/calendar/connection/tokens.ts'
import { eraseFromCalendars } from '../../../features/calendar/erase.ts'
import { readMeetings } from '../../../features/calendar/events/read-meetings.ts'
import { purgeCodesJob } from '../../../features/calendar/jobs.ts'
import { isSwitchedOff } from '../../../features/calendar/store.ts'
import { meetingJobs } from '../../../features/presence/meeting-jobs.ts'
import type { IssuerRegistration } from '../../../platform/outside/known-issuers.ts'
import type { Fetch } from '../../../platform/outside/outside-fetch.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import type { CalendarPort } from '../../../ports/calendar.ts'
import { vendorFetch } from '../../from-configuration/identity-provider.ts'
import { keyRingOf } from '../../keys/key-rings.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from '../platform/databases.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Presence } from './presence.ts'

/** The stand-ins for the providers' calendars: development and tests only. */
export interface StandInCalendars {
  registrations: Record<CalendarProvider, IssuerRegistration>
  urls: Record<CalendarProvider, string>
  fetch: Fetch
}

export interface Calendars extends Part {
  /** What the handlers of this chapter need. */
  needs: {
    calendars: Partial<Record<CalendarProvider, CalendarPort>>
    calendarRing: KeyRing
    calendarFlights: RefreshFlights
    calendarEnabled: boolean
    presenceFromCalendar: boolean
  }
}

/** The calendars that the configuration names; where it names none, those of the sandbox. */
export function openCalendars(
  { config, clock, log }: Opening,
  { databases, sandbox, presence }: { databases: Databases; sandbox: Sandbox; presence: Presence },
): Calendars {
  const { background: db } = databases
  const standIns: StandInCalendars | undefined = sandbox.standIns?.calendars
  const issuerNeeds = {
    fetch: standIns?.fetch ?? vendorFetch(config),
    allowsHttp: config.environment !== 'production',
  }
  const sources = (own: ProviderRegistration | undefined, apiUrl: string, letter: CalendarProvider) => {
    if (own)
      return { registration: { ...own, clientSecret: own.clientSecret.reveal() }, apiUrl, ...issuerNeeds }
    const registration = standIns?.registrations[letter]
    return registration && standIns
      ? { registration, apiUrl: standIns.urls[letter], ...issuerNeeds }
      : undefined
  }
  const a = sources(config.google, config.googleCalendarUrl, 'provider-a')
  const b = sources(config.microsoft, config.microsoftGraphUrl, 'provider-b')
  const calendarRing = keyRingOf(config, CALENDAR_KEYS)
  const { calendarEnabled } = config
  const needs = {
    calendars: {
      ...(a ? { 'provider-a': googleCalendar(a) } : {}),
      ...(b ? { 'provider-b': microsoftCalendar(b) } : {}),
    },
    calendarRing,
    calendarFlights: new Map(),
    calendarEnabled,
    presenceFromCalendar: config.presenceFromCalendar,
  }
  const background = { ...needs, db, clock, log }
  const meetings = meetingJobs({
    db,
    clock,
    log,
    presenceRules: presence.needs.presenceRules,
    isCalendarOff: isSwitchedOff,
    presenceFromCalendar: calendarEnabled && config.presenceFromCalendar,
    readMeetings: (user, span) => readMeetings(background, user, span),
  })
  return {
    needs,
    jobs: [purgeCodesJob({ db, clock }), ...meetings],
    erasers: [{ name: 'calendars', erase: (person) => eraseFromCalendars(background, person) }],
  }
}
