import { DAY_MS } from '../../../platform/clock.ts'
import { parseMoment } from '../../../platform/moment.ts'
import { invalidInput } from '../../../platform/refusal.ts'

const NO_MOMENT = 'Enter a time with its offset, such as 2026-03-23T09:00:00Z'
/** Two years, and a day for clients that count them generously. */
const SPAN_MAX_MS = (2 * 366 + 1) * DAY_MS

/** The span that is asked for at a place of the list. @throws Refusal invalid */
export function requireSpan(
  { timeMin, timeMax }: { timeMin: string; timeMax: string },
  index: number,
): { from: Date; to: Date } {
  const wrong = (field: string, message: string) =>
    invalidInput([{ field: `calendars.${index}.${field}`, message }])
  const [from, to] = [parseMoment(timeMin), parseMoment(timeMax)]
  if (!from) throw wrong('timeMin', NO_MOMENT)
  if (!to) throw wrong('timeMax', NO_MOMENT)
  if (to <= from) throw wrong('timeMax', 'Enter a time that is later than timeMin')
  if (to.getTime() - from.getTime() > SPAN_MAX_MS)
    throw wrong('timeMax', 'Enter a time at most two years after timeMin')
  return { from, to }
}
