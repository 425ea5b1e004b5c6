import { Refusal } from '../../platform/refusal.ts'

const RFC3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/
/** Two years, and a day for whoever counts them generously. */
const SPAN_MAX_MS = (2 * 366 + 1) * 24 * 60 * 60 * 1_000

/** A moment from RFC 3339 text with an offset; undefined where it is none, the 30th of February included. */
export function parseMoment(text: string): Date | undefined {
  const [, year, month, day] = RFC3339.exec(text) ?? []
  if (year === undefined) return undefined
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day)) return undefined
  const at = new Date(text.toUpperCase())
  return Number.isNaN(at.getTime()) ? undefined : at
}

/** The span that is asked for at a place of the list. @throws Refusal invalid */
export function requireSpan(
  { timeMin, timeMax }: { timeMin: string; timeMax: string },
  index: number,
): { from: Date; to: Date } {
  const wrong = (field: string, message: string) =>
    new Refusal('invalid', `calendars.${index}.${field} ${message}`, {
      error: 'invalid-input',
      details: [{ field: `calendars.${index}.${field}`, message }],
    })
  const [from, to] = [parseMoment(timeMin), parseMoment(timeMax)]
  if (!from) throw wrong('timeMin', 'must be an RFC 3339 time with an offset')
  if (!to) throw wrong('timeMax', 'must be an RFC 3339 time with an offset')
  if (to <= from) throw wrong('timeMax', 'must be later than timeMin')
  if (to.getTime() - from.getTime() > SPAN_MAX_MS)
    throw wrong('timeMax', 'must be at most two years after timeMin')
  return { from, to }
}
