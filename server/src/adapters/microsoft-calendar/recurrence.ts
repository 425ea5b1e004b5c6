import {
  countOf,
  fieldsOf,
  identifierOf,
  itemsOf,
  timeOf,
  wholeTextOf,
} from '../../platform/outside/outside-fields.ts'
import { compactUtc, momentOf } from '../../platform/zoned-time.ts'
import { zoneOfWindows } from './windows-zones.ts'

/** How Outlook says that something repeats. */
export interface Recurrence {
  pattern: {
    type: string
    interval?: number | undefined
    month?: number | undefined
    dayOfMonth?: number | undefined
    daysOfWeek?: string[] | undefined
    firstDayOfWeek?: string | undefined
    index?: string | undefined
  }
  range: {
    type: string
    /** The last day where it repeats. */
    endDate?: string | undefined
    recurrenceTimeZone?: string | undefined
    numberOfOccurrences?: number | undefined
  }
}

const WORD_LENGTH_MAX = 64
const DAYS_OF_WEEK = 7

/** @returns undefined where it says nothing of the kind */
export function readRecurrence(value: unknown): Recurrence | undefined {
  const [pattern, range] = [fieldsOf(fieldsOf(value).pattern), fieldsOf(fieldsOf(value).range)]
  const word = (text: unknown) => identifierOf(text, WORD_LENGTH_MAX)
  const [type, end] = [word(pattern.type), word(range.type)]
  if (type === undefined || end === undefined) return undefined
  const endDate = wholeTextOf(range.endDate, WORD_LENGTH_MAX).slice(0, 10)
  return {
    pattern: {
      type,
      interval: countOf(pattern.interval),
      month: countOf(pattern.month),
      dayOfMonth: countOf(pattern.dayOfMonth),
      daysOfWeek: itemsOf(pattern.daysOfWeek, DAYS_OF_WEEK).flatMap((day) => word(day) ?? []),
      firstDayOfWeek: word(pattern.firstDayOfWeek),
      index: word(pattern.index),
    },
    range: {
      type: end,
      endDate: timeOf(`${endDate}T00:00:00Z`) && endDate,
      recurrenceTimeZone: word(range.recurrenceTimeZone),
      numberOfOccurrences: countOf(range.numberOfOccurrences),
    },
  }
}

const FREQUENCIES: Record<string, string> = {
  daily: 'DAILY',
  weekly: 'WEEKLY',
  absoluteMonthly: 'MONTHLY',
  relativeMonthly: 'MONTHLY',
  absoluteYearly: 'YEARLY',
  relativeYearly: 'YEARLY',
}
const POSITIONS: Record<string, number> = { first: 1, second: 2, third: 3, fourth: 4, last: -1 }

/** The same as a rule of iCalendar; `""` where it is of a kind that we do not know. */
export function toRule({ pattern, range }: Recurrence, event: { zone: string; allDay: boolean }): string {
  const frequency = FREQUENCIES[pattern.type]
  if (!frequency) return ''
  const parts = [`FREQ=${frequency}`]
  if (pattern.interval !== undefined && pattern.interval > 1) parts.push(`INTERVAL=${pattern.interval}`)
  if (frequency === 'YEARLY' && pattern.month) parts.push(`BYMONTH=${pattern.month}`)
  const days = (pattern.daysOfWeek ?? []).map(dayOf)
  if (pattern.type === 'weekly' && days.length > 0) parts.push(`BYDAY=${days.join(',')}`)
  if (pattern.type.startsWith('relative'))
    parts.push(...relativeDays(days, POSITIONS[pattern.index ?? 'first'] ?? 1))
  if (pattern.type.startsWith('absolute') && pattern.dayOfMonth)
    parts.push(`BYMONTHDAY=${pattern.dayOfMonth}`)
  // Monday is what a rule means where it says nothing
  const first = pattern.firstDayOfWeek === undefined ? 'MO' : dayOf(pattern.firstDayOfWeek)
  if (pattern.type === 'weekly' && first !== 'MO') parts.push(`WKST=${first}`)
  if (range.type === 'numbered' && range.numberOfOccurrences) parts.push(`COUNT=${range.numberOfOccurrences}`)
  if (range.type === 'endDate' && range.endDate) parts.push(`UNTIL=${untilOf(range.endDate, range, event)}`)
  return `RRULE:${parts.join(';')}`
}

/** One day takes its position before it (`2TU`); of several, the position picks among all of them. */
function relativeDays(days: readonly string[], position: number): string[] {
  if (days.length === 1) return [`BYDAY=${position}${days[0]}`]
  return [`BYDAY=${days.join(',')}`, `BYSETPOS=${position}`]
}

/** The end of the last day where it repeats. */
function untilOf(date: string, range: Recurrence['range'], event: { zone: string; allDay: boolean }): string {
  if (event.allDay) return date.replaceAll('-', '')
  const zone = zoneOfWindows(range.recurrenceTimeZone ?? '') ?? event.zone
  return compactUtc(momentOf(`${date.slice(0, 10)}T23:59:59`, zone))
}

function dayOf(name: string): string {
  return name.slice(0, 2).toUpperCase()
}
