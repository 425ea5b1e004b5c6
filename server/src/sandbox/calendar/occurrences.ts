import { DAY_MS } from '../../platform/clock.ts'
import { compactUtc, momentOf } from '../../platform/zoned-time.ts'
import { FIRST_MONDAY, type SeedCalendar, type SeedEvent } from './believable-week.ts'

/** One time that something takes place. */
export interface Occurrence {
  event: SeedEvent
  /** The event's own id, an underscore, the time it was planned for; or the id of an event that stands alone. */
  id: string
  planned: Date
  /** The day it was planned for, where it lives: `2026-03-30`. */
  day: string
  start: Date
  end: Date
  /** In which its present time is meant. */
  zone: string
  moved: boolean
}

const WEEK_MS = 7 * DAY_MS

/** Everything that touches a span of time, by start. */
export function occurrencesBetween(calendar: SeedCalendar, from: Date, to: Date): Occurrence[] {
  const found: Occurrence[] = []
  const firstWeek = Math.max(0, weekOf(from.getTime() - 2 * DAY_MS))
  for (let week = firstWeek; week <= weekOf(to.getTime() + 2 * DAY_MS); week += 1) {
    for (const event of calendar.events) {
      if (week % (event.everyWeeks ?? 1) !== 0) continue
      for (const day of event.days) {
        const occurrence = occurrenceOn(event, week, day)
        if (occurrence && occurrence.start < to && occurrence.end > from) found.push(occurrence)
      }
    }
  }
  return found.sort((one, other) => one.start.getTime() - other.start.getTime())
}

/** The occurrence of that id, where it takes place. */
export function findOccurrence(calendar: SeedCalendar, id: string): Occurrence | undefined {
  const [, digits = ''] = /[_-](\d{8})(T\d{6}Z)?$/.exec(id) ?? []
  const at = Date.parse(`${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}T12:00:00Z`)
  if (Number.isNaN(at)) return undefined
  const around = occurrencesBetween(calendar, new Date(at - 2 * DAY_MS), new Date(at + 2 * DAY_MS))
  return around.find((occurrence) => occurrence.id === id)
}

/** The first occurrence of a series: what its master shows. */
export function firstOf(event: SeedEvent): Occurrence {
  return occurrenceOn({ ...event, exception: () => undefined }, 0, event.days[0] as number) as Occurrence
}

/** As a rule of iCalendar. */
export function ruleOf({ days, everyWeeks = 1 }: SeedEvent): string {
  const names = days.map((day) => ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'][day])
  return `RRULE:FREQ=WEEKLY${everyWeeks > 1 ? `;INTERVAL=${everyWeeks}` : ''};BYDAY=${names.join(',')}`
}

function weekOf(at: number): number {
  return Math.floor((at - FIRST_MONDAY) / WEEK_MS)
}

function occurrenceOn(event: SeedEvent, week: number, weekday: number): Occurrence | undefined {
  const exception = event.exception?.(week, weekday)
  if (exception?.kind === 'cancelled') return undefined
  const day = dayText(FIRST_MONDAY + week * WEEK_MS + weekday * DAY_MS)
  const planned = momentOf(`${day}T${event.at ?? '00:00'}:00`, event.zone)
  const zone = exception?.zone ?? event.zone
  const start = exception ? momentOf(`${day}T${exception.at}:00`, zone) : planned
  const end =
    event.at === undefined
      ? momentOf(`${dayText(Date.parse(`${day}T00:00:00Z`) + event.minutes * 60_000)}T00:00:00`, zone)
      : new Date(start.getTime() + event.minutes * 60_000)
  return {
    event,
    id: idOf(event, day, planned),
    planned,
    day,
    start,
    end,
    zone,
    moved: exception !== undefined,
  }
}

function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function idOf(event: SeedEvent, day: string, planned: Date): string {
  const digits = day.replaceAll('-', '')
  if (event.kind === 'single') return `${event.id}-${digits}`
  return `${event.id}_${event.at === undefined ? digits : compactUtc(planned)}`
}
