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
    notTheirs: refused(403, 'ErrorAccessDenied'),
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
