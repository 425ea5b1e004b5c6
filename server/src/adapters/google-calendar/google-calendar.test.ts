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
    notTheirs: refused('forbidden'),
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
