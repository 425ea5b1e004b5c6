/** Bounds of what providers say, in characters and numbers: ids are what our own operations take, the rest is shown. */
export const CALENDAR_BOUNDS = {
  id: 1_024,
  title: 1_024,
  name: 256,
  email: 320,
  description: 65_536,
  attendees: 1_000,
} as const

/** What is kept to act for a person at a calendar provider. */
export interface CalendarTokens {
  accessToken: string
  /** `null`: none was given, or the one that was used stays good. */
  refreshToken: string | null
  /** Of the access token; `null` where the provider does not say. */
  expiresInSeconds: number | null
}

export interface CalendarSummary {
  /** `primary` for the main one. */
  id: string
  name: string
  /** `#rrggbb`. */
  color: string
}

export interface CalendarEvent {
  /** Of an instance of a series: the master's id, an underscore, the time it was planned for in compact UTC. */
  id: string
  title: string
  /** RFC 3339 with the offset of its zone; of an event of whole days the midnights it lies between. */
  start: string
  end: string
  allDay: boolean
  /** IANA names. */
  startTimezone: string
  endTimezone: string
  /** The master; `""` where it belongs to no series. */
  recurringEventId: string
  /** It takes the person's time: neither declined by them nor marked as free. */
  takesTime: boolean
  organizerEmail: string
  attendees: { email: string; status: AttendeeStatus }[]
}

export interface CalendarEventDetails extends CalendarEvent {
  description: string
  /** RRULE text, of a master; `""` otherwise. Lines are parted by newlines, the rule comes first. */
  recurrence: string
  organizerName: string
}

export type AttendeeStatus = 'accepted' | 'declined' | 'tentative' | 'pending'

/** What a provider says to a question asked with an access token. */
export type CalendarAnswer<T> =
  | { kind: 'answered'; value: T }
  /** The token is not accepted: a fresh one may be. */
  | { kind: 'token-refused' }
  /** The person has not consented to this, or no longer does: only they can mend it. */
  | { kind: 'consent-missing' }
  /** There is no such calendar or event, or not for this person. */
  | { kind: 'not-found' }

/** A person's calendars elsewhere. */
export interface CalendarPort {
  /**
   * Where to send a browser to consent. State and challenge (S256) are the client's: they come back, or are checked
   * against its verifier, unchanged.
   * @throws ProviderFailure
   */
  consentUrl(request: { state: string; codeChallenge: string; redirectUri: string }): Promise<string>
  /**
   * @returns undefined where the code or its verifier is refused, `permission-missing` where the person has not allowed
   * their calendars to be read
   * @throws ProviderFailure
   */
  redeemCode(answer: {
    code: string
    codeVerifier: string
    redirectUri: string
  }): Promise<CalendarTokens | 'permission-missing' | undefined>
  /** @returns undefined where the consent is over. @throws ProviderFailure: nothing is known of it then */
  refresh(refreshToken: string): Promise<CalendarTokens | undefined>
  /** Ends the consent, as far as the provider offers that. @throws ProviderFailure */
  revoke(refreshToken: string): Promise<void>
  /** What cannot be read is left out (`leaveOut`), unless nothing can. @throws ProviderFailure */
  listCalendars(accessToken: string): Promise<CalendarAnswer<CalendarSummary[]>>
  /**
   * All events that touch a span of time, series expanded into instances, nothing cancelled, by start. All pages or
   * none; an event that has no id or no time that can be read is left out (`leaveOut`). An event without an end ends
   * when it starts, or takes one day.
   * @throws ProviderFailure
   */
  listEvents(
    accessToken: string,
    span: { calendarId: string; from: Date; to: Date },
  ): Promise<CalendarAnswer<CalendarEvent[]>>
  /**
   * An event, an instance or a master. Its `id` is the one that was asked for. One that cannot be read is left out: it is
   * not found.
   * @throws ProviderFailure
   */
  readEvent(
    accessToken: string,
    event: { calendarId: string; eventId: string },
  ): Promise<CalendarAnswer<CalendarEventDetails>>
}
