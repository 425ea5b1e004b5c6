import { sandboxCalendar, stubCalendar } from '../../../tests/vendors/calendar-harnesses.ts'
import type { VendorReply } from '../../../tests/vendors/calendar-vendor.ts'
import { describeCalendar } from '../../ports/calendar.conformance.ts'
import { describeCalendarFaults } from '../../ports/calendar-faults.conformance.ts'

const refused = (reason: string): VendorReply => ({
  status: 403,
  body: { error: { code: 403, errors: [{ domain: 'global', reason }] } },
})
const at = {
  start: { dateTime: '2026-03-25T10:00:00+01:00' },
  end: { dateTime: '2026-03-25T11:00:00+01:00' },
}

describeCalendar('googleCalendar on the sandbox', () => sandboxCalendar('provider-a'))
describeCalendar('googleCalendar on a vendor of small pages', () => stubCalendar('provider-a'))
describeCalendarFaults(
  'googleCalendar',
  {
    consentLacks: refused('insufficientPermissions'),
    forbidden: { status: 403, body: { error: { code: 403, errors: null, details: [{ reason: 7 }] } } },
    notTheirs: refused('forbidden'),
    scopes: {
      granted: [
        'https://www.googleapis.com/auth/calendar.readonly',
        'openid https://www.googleapis.com/auth/calendar https://www.googleapis.com/auth/userinfo.email',
      ],
      lacking: ['openid', '', 'openid https://www.googleapis.com/auth/calendar.readonlyx'],
    },
    calendarsOf: (items) => ({ body: { items } }),
    calendar: { id: 'team@group.calendar.example' },
    incomplete: [
      { id: 'null title', summary: null, ...at },
      { id: 'null zone', start: { ...at.start, timeZone: null }, end: { ...at.end, timeZone: null } },
      { id: 'odd zone', start: { ...at.start, timeZone: 7 }, end: null },
      { id: 'null attendee', attendees: [null, { email: 'ada@people.example' }], ...at },
      { id: 'null attendees', attendees: null, organizer: null, recurringEventId: null, ...at },
      { id: 'null organizer', organizer: { email: null, displayName: null }, recurrence: null, ...at },
      { id: 'another form', summary: { text: 'x' }, organizer: 'ada', transparency: [], eventType: 5, ...at },
    ],
    unreadable: [
      { id: 'no start' },
      { id: 'null start', start: null, end: at.end },
      { id: 'empty start', start: {} },
      { id: 'no time', start: { dateTime: 'soon' } },
      { id: 'not of RFC 3339', start: { dateTime: 'Mar 25 2026 10:00' } },
      { id: 'no day', start: { date: '2026-02-30' } },
      { id: 'beyond time', start: { dateTime: '+275760-09-13T00:00:00Z' } },
      { id: '', ...at },
      { ...at },
      { id: null, ...at },
    ],
    outOfBreath: [refused('rateLimitExceeded'), refused('userRateLimitExceeded')],
    refusedForGood: [refused('quotaExceeded'), refused('accessNotConfigured')],
    page: (ids, next) => ({
      body: {
        items: ids.map((id) => ({ id, ...at })),
        ...(next ? { nextPageToken: String(next.begin) } : {}),
      },
    }),
    beginOf: (query) => Number(query.get('pageToken') ?? 0),
    endless: {
      timed: { id: 'timed', start: at.start },
      wholeDay: { id: 'day', start: { date: '2026-03-25', timeZone: 'Europe/Berlin' } },
    },
    pageOf: (items) => ({ body: { items } }),
    cancelled: { body: { id: 'x', status: 'cancelled', ...at } },
  },
  () => stubCalendar('provider-a'),
)
