import { googleCalendar } from '../adapters/google-calendar/google-calendar.ts'
import { microsoftCalendar } from '../adapters/microsoft-calendar/microsoft-calendar.ts'
import type { Config, ProviderRegistration } from '../configuration/config.ts'
import type { RefreshFlights } from '../features/calendar/connection-needs.ts'
import { purgeCodesJob, resealTokensJob } from '../features/calendar/jobs.ts'
import { CALENDAR_KEYS } from '../features/calendar/tokens.ts'
import type { Job } from '../platform/background/jobs.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/database/database.ts'
import type { IssuerRegistration } from '../platform/outside/known-issuers.ts'
import type { Fetch } from '../platform/outside/outside-fetch.ts'
import { type KeyRing, makeKeyRing } from '../platform/secrets/sealed-column.ts'
import type { CalendarPort } from '../ports/calendar.ts'
import { vendorFetch } from './identity.ts'

/** The stand-ins for the providers' calendars: development and tests only. */
export interface StandInCalendars {
  registrations: { 'provider-a': IssuerRegistration; 'provider-b': IssuerRegistration }
  urls: { 'provider-a': string; 'provider-b': string }
  fetch: Fetch
}

export interface Calendars {
  /** What the handlers of this chapter need. */
  needs: {
    calendars: { 'provider-a'?: CalendarPort; 'provider-b'?: CalendarPort }
    calendarRing: KeyRing
    calendarFlights: RefreshFlights
  }
  jobs: Job[]
}

/** The calendars that the configuration names; where it names none, those of the sandbox. */
export function openCalendars(
  { config, db, clock }: { config: Config; db: Db; clock: Clock },
  standIns: StandInCalendars | undefined,
): Calendars {
  const issuerNeeds = {
    fetch: standIns?.fetch ?? vendorFetch(config),
    allowsHttp: config.environment !== 'production',
  }
  const sources = (
    own: ProviderRegistration | undefined,
    apiUrl: string,
    letter: 'provider-a' | 'provider-b',
  ) => {
    if (own)
      return { registration: { ...own, clientSecret: own.clientSecret.reveal() }, apiUrl, ...issuerNeeds }
    const registration = standIns?.registrations[letter]
    return registration && standIns
      ? { registration, apiUrl: standIns.urls[letter], ...issuerNeeds }
      : undefined
  }
  const a = sources(config.google, config.googleCalendarUrl, 'provider-a')
  const b = sources(config.microsoft, config.microsoftGraphUrl, 'provider-b')
  const previous = config.previousSecretKey ? [config.previousSecretKey] : []
  const calendarRing = makeKeyRing(CALENDAR_KEYS, config.secretKey, previous)
  return {
    needs: {
      calendars: {
        ...(a ? { 'provider-a': googleCalendar(a) } : {}),
        ...(b ? { 'provider-b': microsoftCalendar(b) } : {}),
      },
      calendarRing,
      calendarFlights: new Map(),
    },
    jobs: [resealTokensJob({ db, calendarRing }), purgeCodesJob({ db, clock })],
  }
}
