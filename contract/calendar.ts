import Type from 'typebox'
import { realtimeEvent } from './event-declaration.ts'
import { type Access, operation } from './operation.ts'
import { Done, words } from './shapes.ts'

const chapter = 'Calendar'
const access = { kind: 'session' } as const satisfies Access

/** Calendars, spans and events that one call may ask for. */
export const CALENDARS_MAX = 50
export const EVENT_DETAILS_MAX = 100

/** RFC 7636, 4.1 and 4.2: 43 to 128 unreserved characters. */
const pkceText = (description: string) =>
  Type.String({ minLength: 43, maxLength: 128, pattern: '^[A-Za-z0-9._~-]+$', description })
const Id = (description: string) => Type.String({ minLength: 1, maxLength: 1_024, description })
const Rfc3339 = (description: string) =>
  Type.String({ format: 'date-time', minLength: 20, maxLength: 40, description })

const ConnectRequest = Type.Object({
  state: Type.String({ minLength: 1, maxLength: 512, description: "The client's own; comes back unchanged" }),
  codeChallenge: pkceText('SHA-256 of the code verifier, base64url (PKCE, S256)'),
})
const FinalizeRequest = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 4_096, description: 'Of the redirect' }),
  codeVerifier: pkceText('The one that the challenge was made of'),
})
const EventsRequest = Type.Object({
  calendars: Type.Array(
    Type.Object({
      calendarId: Id('`primary`, or an id of the list of calendars'),
      timeMin: Rfc3339('RFC 3339 with an offset; events that end by then are left out'),
      timeMax: Rfc3339(
        'RFC 3339 with an offset, at most two years later; events that begin then are left out',
      ),
    }),
    { maxItems: CALENDARS_MAX },
  ),
})
const DetailsRequest = Type.Object({
  events: Type.Array(
    Type.Object({
      calendarId: Id('`primary`, or an id of the list of calendars'),
      eventId: Id('Of an event; for the rule of a series its `recurringEventId`'),
    }),
    { maxItems: EVENT_DETAILS_MAX },
  ),
})

export const Calendar = Type.Object(
  {
    id: Type.String({ description: '`primary` for the main one' }),
    name: Type.String(),
    color: Type.String({ description: '#rrggbb' }),
  },
  { title: 'Calendar' },
)

const attendee = Type.Object({
  email: Type.String(),
  status: words(['accepted', 'declined', 'tentative', 'pending'] as const),
})
const eventFields = {
  id: Type.String({
    description: 'Of an instance: its master, an underscore, its planned time in compact UTC',
  }),
  calendarId: Type.String(),
  title: Type.String({ description: '"" where it is not for us to know' }),
  start: Type.String({
    description: 'RFC 3339 with an offset; of whole days, midnight where the calendar lives',
  }),
  end: Type.String(),
  startTimezone: Type.String({ description: 'IANA name' }),
  endTimezone: Type.String({ description: 'IANA name' }),
  recurringEventId: Type.String({ description: 'The master; "" where it belongs to no series' }),
  allDay: Type.Optional(Type.Boolean({ description: 'For events of whole days' })),
}

export const CalendarEvent = Type.Object(
  {
    ...eventFields,
    organizer: Type.Object({ email: Type.String() }),
    attendees: Type.Array(attendee),
  },
  { title: 'CalendarEvent' },
)

export const CalendarEventDetails = Type.Object(
  {
    ...eventFields,
    organizer: Type.Object({ email: Type.String(), name: Type.String() }),
    attendees: Type.Array(attendee),
    description: Type.String({ description: 'As it was written; may be HTML' }),
    recurrence: Type.String({ description: 'RRULE text of a master, otherwise ""' }),
  },
  { title: 'CalendarEventDetails' },
)

const EventsOfCalendars = Type.Array(
  Type.Object({
    calendarId: Type.String(),
    events: Type.Array(CalendarEvent),
    error: Type.Optional(
      Type.Literal('calendar-unavailable', {
        description: 'Its events could not be read; it does not mean that there are none',
      }),
    ),
  }),
)

const connecting = 'Send the browser to the address; it comes back to /calendar/complete with code and state.'
const perCalendar =
  'Calendars that fail beside others say so in `error`; where all fail the answer is 502. An event without an id or a time that can be read is left out.'

/** Published by triggers of the database, by the function `append_event`. */
export const calendarEvents = {
  'calendar.changed': realtimeEvent({
    scopes: ['user'],
    summary:
      'A calendar of the person was connected or disconnected, or its provider wants their consent again: to them, in every organization they are in.',
    data: Type.Object({
      provider: words(['provider-a', 'provider-b'] as const),
      state: words(['connected', 'disconnected', 'reauth-required'] as const),
    }),
    example: { provider: 'provider-a', state: 'connected' },
  }),
} as const

export const calendarOperations = {
  connectProviderACalendar: operation({
    method: 'POST',
    path: '/api/v1/calendar/provider-a/connect',
    summary: 'Start connecting a calendar of provider A',
    description: connecting,
    chapter,
    access,
    body: ConnectRequest,
    replies: { 200: Type.Object({ authData: Type.Object({ redirectUrl: Type.String() }) }) },
    errors: ['not-found', 'calendar-disabled'],
    refusals: [502],
  }),
  finalizeProviderACalendar: operation({
    method: 'POST',
    path: '/api/v1/calendar/provider-a/finalize-connection',
    summary: 'Finish connecting a calendar of provider A',
    chapter,
    access,
    body: FinalizeRequest,
    replies: { 200: Done },
    errors: ['not-found', 'calendar-disabled', 'calendar-code-refused', 'calendar-permission-missing'],
    refusals: [502],
  }),
  listProviderACalendars: operation({
    method: 'GET',
    path: '/api/v1/calendar/provider-a/calendars',
    summary: 'List the calendars at provider A',
    chapter,
    access,
    replies: { 200: Type.Array(Calendar) },
    errors: ['not-found', 'calendar-disabled', 'calendar-not-connected', 'calendar-reauth-required'],
    refusals: [502],
  }),
  listProviderAEvents: operation({
    method: 'POST',
    path: '/api/v1/calendar/provider-a/events',
    summary: 'List events of calendars at provider A, series expanded',
    description: perCalendar,
    chapter,
    access,
    body: EventsRequest,
    replies: { 200: EventsOfCalendars },
    errors: [
      'calendar-not-found',
      'not-found',
      'calendar-disabled',
      'calendar-not-connected',
      'calendar-reauth-required',
    ],
    refusals: [502],
  }),
  readProviderAEvents: operation({
    method: 'POST',
    path: '/api/v1/calendar/provider-a/events/details',
    summary: 'Read events at provider A in detail',
    chapter,
    access,
    body: DetailsRequest,
    replies: { 200: Type.Array(CalendarEventDetails) },
    errors: [
      'event-not-found',
      'not-found',
      'calendar-disabled',
      'calendar-not-connected',
      'calendar-reauth-required',
    ],
    refusals: [502],
  }),
  disconnectProviderACalendar: operation({
    method: 'POST',
    path: '/api/v1/calendar/provider-a/disconnect',
    summary: 'Forget the calendar connection to provider A',
    description: 'Always succeeds. The tokens are deleted; what provider A knows of the consent stays there.',
    chapter,
    access,
    replies: { 200: Done },
  }),
  connectProviderBCalendar: operation({
    method: 'POST',
    path: '/api/v1/calendar/provider-b/connect',
    summary: 'Start connecting a calendar of provider B',
    description: connecting,
    chapter,
    access,
    body: ConnectRequest,
    replies: { 200: Type.Object({ redirectUrl: Type.String() }) },
    errors: ['not-found', 'calendar-disabled'],
    refusals: [502],
  }),
  finalizeProviderBCalendar: operation({
    method: 'POST',
    path: '/api/v1/calendar/provider-b/finalize-connection',
    summary: 'Finish connecting a calendar of provider B',
    chapter,
    access,
    body: FinalizeRequest,
    replies: { 200: Done },
    errors: ['not-found', 'calendar-disabled', 'calendar-code-refused', 'calendar-permission-missing'],
    refusals: [502],
  }),
  listProviderBCalendars: operation({
    method: 'GET',
    path: '/api/v1/calendar/provider-b/calendars',
    summary: 'List the calendars at provider B',
    chapter,
    access,
    replies: { 200: Type.Array(Calendar) },
    errors: ['not-found', 'calendar-disabled', 'calendar-not-connected', 'calendar-reauth-required'],
    refusals: [502],
  }),
  listProviderBEvents: operation({
    method: 'POST',
    path: '/api/v1/calendar/provider-b/events',
    summary: 'List events of calendars at provider B, series expanded',
    description: perCalendar,
    chapter,
    access,
    body: EventsRequest,
    replies: { 200: EventsOfCalendars },
    errors: [
      'calendar-not-found',
      'not-found',
      'calendar-disabled',
      'calendar-not-connected',
      'calendar-reauth-required',
    ],
    refusals: [502],
  }),
  readProviderBEvents: operation({
    method: 'POST',
    path: '/api/v1/calendar/provider-b/events/details',
    summary: 'Read events at provider B in detail',
    chapter,
    access,
    body: DetailsRequest,
    replies: { 200: Type.Array(CalendarEventDetails) },
    errors: [
      'event-not-found',
      'not-found',
      'calendar-disabled',
      'calendar-not-connected',
      'calendar-reauth-required',
    ],
    refusals: [502],
  }),
  disconnectProviderBCalendar: operation({
    method: 'POST',
    path: '/api/v1/calendar/provider-b/disconnect',
    summary: 'End the calendar connection to provider B',
    description:
      'Always succeeds. The consent is revoked as far as provider B offers that, the tokens are deleted.',
    chapter,
    access,
    replies: { 200: Done },
  }),
} as const
