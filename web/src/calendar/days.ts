import type { SuccessBody } from '@atrium/client'

export type CalendarEvent = SuccessBody<'listProviderAEvents'>[number]['events'][number]

/** An event with what is known of the calendar it stands in. */
export interface ShownEvent extends CalendarEvent {
  key: string
  color: string
  calendarName: string
}

export interface Day {
  start: Date
  events: readonly ShownEvent[]
}

/** The first moment of the day in the browser's time zone, `days` later or earlier. */
export function startOfDay(now: Date, days = 0): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
}

/** The Monday of the week. */
export function startOfWeek(now: Date): Date {
  return startOfDay(now, -((now.getDay() + 6) % 7))
}

/** What happens on each of so many days: whole days first, then by time. What lasts longer stands on each day. */
export function daysOf(events: readonly ShownEvent[], first: Date, count: number): Day[] {
  return Array.from({ length: count }, (_, at) => {
    const [start, end] = [startOfDay(first, at), startOfDay(first, at + 1)]
    const within = events.filter((event) => {
      const [from, to] = spanOf(event)
      return from < end && (to > start || (from.getTime() === to.getTime() && from >= start))
    })
    return { start, events: within.sort(byTime) }
  })
}

/** Whether it goes on at the moment. */
export function isNow(event: CalendarEvent, now: Date): boolean {
  const [from, to] = spanOf(event)
  return event.allDay !== true && from <= now && now < to
}

/** Whole days are days, wherever one looks from. */
function spanOf({ start, end, allDay }: CalendarEvent): [Date, Date] {
  return allDay ? [dayOf(start), dayOf(end)] : [new Date(start), new Date(end)]
}

function dayOf(time: string): Date {
  const [year = 0, month = 1, day = 1] = time.slice(0, 10).split('-').map(Number)
  return new Date(year, month - 1, day)
}

function byTime(one: ShownEvent, other: ShownEvent): number {
  return (
    Number(other.allDay ?? false) - Number(one.allDay ?? false) ||
    Date.parse(one.start) - Date.parse(other.start)
  )
}
