import Type, { type TSchema } from 'typebox'
import { realtimeEvent } from './event-declaration.ts'
import { type Access, operation } from './operation.ts'
import { calendarProviders, Done, Moment, words } from './shapes.ts'

const chapter = 'Calendar'
const access = { kind: 'session' } as const satisfies Access

/** Calendars, spans and events that one call may ask for. */
export const CALENDARS_MAX = 50
export const EVENT_DETAILS_MAX = 100

/** RFC 7636, 4.1 and 4.2: 43 to 128 unreserved characters. */
const pkceText = (description: string) =>
  Type.String({ minLength: 43, maxLength: 128, pattern: '^[A-Za-z0-9._~-]+$', description })
const Id = (description: string) => Type.String({ minLength: 1, maxLength: 1_024, description })
const Rfc3339 = (description: string) => Type.String({ ...Moment, description })

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
      provider: words(calendarProviders),
      state: words(['connected', 'disconnected', 'reauth-required'] as const),
    }),
    example: { provider: 'provider-a', state: 'connected' },
  }),
} as const

/** A provider, as paths and as people call it. */
const A = { path: '/api/v1/calendar/provider-a', name: 'provider A' } as const
const B = { path: '/api/v1/calendar/provider-b', name: 'provider B' } as const
type Provider = typeof A | typeof B

/** What every call to a connected calendar may be refused with. */
const NOT_READ = [
  'not-found',
  'calendar-disabled',
  'calendar-not-connected',
  'calendar-reauth-required',
] as const
const RedirectUrl = Type.Object({ redirectUrl: Type.String() })

/** @param reply the two providers answer in shapes of their own */
const connect = <Reply extends TSchema>({ path, name }: Provider, reply: Reply) =>
  operation({
    method: 'POST',
    path: `${path}/connect`,
    summary: `Start connecting a calendar of ${name}`,
    description: connecting,
    chapter,
    access,
    body: ConnectRequest,
    replies: { 200: reply },
    errors: ['not-found', 'calendar-disabled'],
    refusals: [502],
  })

const finalize = ({ path, name }: Provider) =>
  operation({
    method: 'POST',
    path: `${path}/finalize-connection`,
    summary: `Finish connecting a calendar of ${name}`,
    chapter,
    access,
    body: FinalizeRequest,
    replies: { 200: Done },
    errors: ['not-found', 'calendar-disabled', 'calendar-code-refused', 'calendar-permission-missing'],
    refusals: [502],
  })

const listCalendars = ({ path, name }: Provider) =>
  operation({
    method: 'GET',
    path: `${path}/calendars`,
    summary: `List the calendars at ${name}`,
    chapter,
    access,
    replies: { 200: Type.Array(Calendar) },
    errors: NOT_READ,
    refusals: [502],
  })

const listEvents = ({ path, name }: Provider) =>
  operation({
    method: 'POST',
    path: `${path}/events`,
    summary: `List events of calendars at ${name}, series expanded`,
    description: perCalendar,
    chapter,
    access,
    body: EventsRequest,
    replies: { 200: EventsOfCalendars },
    errors: ['calendar-not-found', ...NOT_READ],
    refusals: [502],
  })

const readEvents = ({ path, name }: Provider) =>
  operation({
    method: 'POST',
    path: `${path}/events/details`,
    summary: `Read events at ${name} in detail`,
    chapter,
    access,
    body: DetailsRequest,
    replies: { 200: Type.Array(CalendarEventDetails) },
    errors: ['event-not-found', ...NOT_READ],
    refusals: [502],
  })

const disconnect = ({ path }: Provider, summary: string, description: string) =>
  operation({
    method: 'POST',
    path: `${path}/disconnect`,
    summary,
    description: `Always succeeds. ${description}`,
    chapter,
    access,
    replies: { 200: Done },
  })

export const calendarOperations = {
  connectProviderACalendar: connect(A, Type.Object({ authData: RedirectUrl })),
  finalizeProviderACalendar: finalize(A),
  listProviderACalendars: listCalendars(A),
  listProviderAEvents: listEvents(A),
  readProviderAEvents: readEvents(A),
  disconnectProviderACalendar: disconnect(
    A,
    'Forget the calendar connection to provider A',
    'The tokens are deleted; what provider A knows of the consent stays there.',
  ),
  connectProviderBCalendar: connect(B, RedirectUrl),
  finalizeProviderBCalendar: finalize(B),
  listProviderBCalendars: listCalendars(B),
  listProviderBEvents: listEvents(B),
  readProviderBEvents: readEvents(B),
  disconnectProviderBCalendar: disconnect(
    B,
    'End the calendar connection to provider B',
    'The consent is revoked as far as provider B offers that, the tokens are deleted.',
  ),
} as const
