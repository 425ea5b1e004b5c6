import { describe, expect, it } from 'vitest'
import { isTimeZone } from '../../platform/zoned-time.ts'
import { type Recurrence, toRule } from './recurrence.ts'
import { zoneOfWindows } from './windows-zones.ts'

const noEnd = { type: 'noEnd', startDate: '2026-01-01', endDate: '0001-01-01' }
const berlin = { zone: 'Europe/Berlin', allDay: false }

describe('rules of Outlook as rules of iCalendar', () => {
  it.each<[Recurrence['pattern'], string]>([
    [{ type: 'daily', interval: 1 }, 'FREQ=DAILY'],
    [{ type: 'daily', interval: 3 }, 'FREQ=DAILY;INTERVAL=3'],
    [
      { type: 'weekly', interval: 2, daysOfWeek: ['monday', 'friday'], firstDayOfWeek: 'monday' },
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR',
    ],
    [
      { type: 'weekly', interval: 2, daysOfWeek: ['thursday'], firstDayOfWeek: 'sunday' },
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;WKST=SU',
    ],
    [{ type: 'absoluteMonthly', interval: 1, dayOfMonth: 31 }, 'FREQ=MONTHLY;BYMONTHDAY=31'],
    [
      { type: 'relativeMonthly', interval: 1, daysOfWeek: ['tuesday'], index: 'second' },
      'FREQ=MONTHLY;BYDAY=2TU',
    ],
    [
      { type: 'relativeMonthly', interval: 1, daysOfWeek: ['saturday', 'sunday'], index: 'last' },
      'FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=-1',
    ],
    [
      { type: 'absoluteYearly', interval: 1, month: 2, dayOfMonth: 29 },
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
    ],
    [
      { type: 'relativeYearly', interval: 1, month: 11, daysOfWeek: ['thursday'], index: 'fourth' },
      'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
    ],
  ])('%j', (pattern, rule) => {
    expect(toRule({ pattern, range: noEnd }, berlin)).toBe(`RRULE:${rule}`)
  })

  it.each([
    [{ type: 'numbered', numberOfOccurrences: 10 }, berlin, 'COUNT=10'],
    // the end of the last day where it repeats, before and after the clocks go forward
    [
      { type: 'endDate', endDate: '2026-03-28', recurrenceTimeZone: 'W. Europe Standard Time' },
      berlin,
      'UNTIL=20260328T225959Z',
    ],
    [
      { type: 'endDate', endDate: '2026-03-29', recurrenceTimeZone: 'W. Europe Standard Time' },
      berlin,
      'UNTIL=20260329T215959Z',
    ],
    [
      { type: 'endDate', endDate: '2026-03-29', recurrenceTimeZone: 'Pacific Standard Time' },
      berlin,
      'UNTIL=20260330T065959Z',
    ],
    [{ type: 'endDate', endDate: '2026-03-29', recurrenceTimeZone: '' }, berlin, 'UNTIL=20260329T215959Z'],
    [{ type: 'endDate', endDate: '2026-03-29' }, { ...berlin, allDay: true }, 'UNTIL=20260329'],
  ])('ends with %j', (range, event, end) => {
    expect(toRule({ pattern: { type: 'daily', interval: 1 }, range }, event)).toBe(`RRULE:FREQ=DAILY;${end}`)
  })

  it('says nothing of a kind it does not know', () => {
    expect(toRule({ pattern: { type: 'lunar' }, range: noEnd }, berlin)).toBe('')
  })
})

describe('zones of Windows', () => {
  it.each([
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['Pacific Standard Time', 'America/Los_Angeles'],
    ['Pacific Standard Time (Mexico)', 'America/Tijuana'],
    ['India Standard Time', 'Asia/Kolkata'],
    ['GMT Standard Time', 'Europe/London'],
    ['FLE Standard Time', 'Europe/Kyiv'],
    ['utc', 'UTC'],
    ['tzone://Microsoft/Utc', 'UTC'],
    ['Europe/Zurich', 'Europe/Zurich'],
  ])('%s is %s', (name, zone) => {
    expect(zoneOfWindows(name)).toBe(zone)
    expect(isTimeZone(zone)).toBe(true)
  })

  it('others are none', () => {
    expect(['', 'tzone://Microsoft/Custom', 'Customized Time Zone', 'Mars'].map(zoneOfWindows)).toEqual(
      Array(4).fill(undefined),
    )
  })
})
