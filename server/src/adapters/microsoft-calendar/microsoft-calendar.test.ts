import { sandboxCalendar, stubCalendar } from '../../../tests/vendors/calendar-harnesses.ts'
import type { VendorReply } from '../../../tests/vendors/calendar-vendor.ts'
import { describeCalendar } from '../../ports/calendar.conformance.ts'
import { describeCalendarFaults } from '../../ports/calendar-faults.conformance.ts'

const refused = (status: number, code: string): VendorReply => ({ status, body: { error: { code } } })
const moment = (dateTime: string) => ({ dateTime, timeZone: 'UTC' })
const at = { start: moment('2026-03-25T09:00:00.0000000'), end: moment('2026-03-25T10:00:00.0000000') }

describeCalendar('microsoftCalendar on the sandbox', () => sandboxCalendar('provider-b'))
describeCalendar('microsoftCalendar on a vendor of small pages', () => stubCalendar('provider-b'))
describeCalendarFaults(
  'microsoftCalendar',
  {
    consentLacks: refused(403, 'ErrorAccessDenied'),
    forbidden: { status: 403, raw: '' },
    notTheirs: refused(403, 'ErrorAccessDenied'),
    scopes: {
      granted: ['Calendars.Read', 'openid https://graph.microsoft.com/calendars.readwrite User.Read'],
      lacking: ['openid', '', 'User.Read Calendars.Read.Shared'],
    },
    calendarsOf: (value) => ({ body: { value } }),
    calendar: { id: 'AAMkteam=' },
    incomplete: [
      { id: 'null title', subject: null, ...at },
      { id: 'null zone', start: { ...at.start, timeZone: null }, end: { ...at.end, timeZone: null } },
      { id: 'no zone', start: { dateTime: at.start.dateTime }, end: null },
      { id: 'null attendee', attendees: [null, { emailAddress: { address: 'ada@people.example' } }], ...at },
      { id: 'null attendees', attendees: null, organizer: null, seriesMasterId: null, ...at },
      { id: 'null organizer', organizer: { emailAddress: null }, responseStatus: null, ...at },
      { id: 'another form', subject: 5, organizer: 'ada', showAs: [], isAllDay: 'no', ...at },
    ],
    unreadable: [
      { id: 'no start' },
      { id: 'null start', start: null, end: at.end },
      { id: 'empty start', start: {} },
      { id: 'no time', start: moment('soon') },
      { id: 'no day', start: moment('2026-13-30T00:00:00') },
      { id: 'beyond time', start: moment('+275760-09-13T00:00:00') },
      { id: '', ...at },
      { ...at },
      { id: null, ...at },
    ],
    outOfBreath: [refused(403, 'activityLimitReached'), refused(403, 'ApplicationThrottled')],
    refusedForGood: [refused(400, 'ErrorInvalidParameter'), refused(409, 'ErrorFolderSaveFailed')],
    page: (ids, next) => ({
      body: {
        value: ids.map((id) => ({ id, ...at })),
        ...(next ? { '@odata.nextLink': `${next.url}?$skip=${next.begin}` } : {}),
      },
    }),
    beginOf: (query) => Number(query.get('$skip') ?? 0),
    endless: {
      timed: { id: 'timed', start: at.start, end: null },
      wholeDay: {
        id: 'day',
        isAllDay: true,
        start: moment('2026-03-25T00:00:00.0000000'),
        originalStartTimeZone: 'W. Europe Standard Time',
      },
    },
    pageOf: (value) => ({ body: { value } }),
    cancelled: { body: { id: 'x', isCancelled: true, ...at } },
  },
  () => stubCalendar('provider-b'),
)
