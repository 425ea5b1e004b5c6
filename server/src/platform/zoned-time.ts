/** Times of day in the zones of the IANA database, by what the runtime knows of them. */

const formats = new Map<string, Intl.DateTimeFormat | undefined>()
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Names come from outside: what is no zone is remembered too, but not without end. */
const FORMATS_MAX = 2_000

/** The refusal of a zone that the runtime does not know. */
export const TIME_ZONE_SENTENCE = 'Enter a time zone of the IANA database, such as Europe/Berlin'

/** Whether the runtime knows a zone of that name. */
export function isTimeZone(name: string): boolean {
  return formatOf(name) !== undefined
}

/** The name of a zone in the case that the runtime has it in; a zone that it knows by another name keeps its own. */
export function spelledZone(name: string): string {
  const known = formatOf(name)?.resolvedOptions().timeZone
  return known?.toLowerCase() === name.toLowerCase() ? known : name
}

/** How far a zone is ahead of UTC at a moment, in minutes. @throws RangeError where it is no zone */
export function offsetAt(zone: string, at: Date): number {
  const format = formatOf(zone)
  if (!format) throw new RangeError('there is no such time zone')
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign, hours, minutes] = /^GMT([+-])(\d{1,2}):(\d{2})/.exec(name) ?? []
  if (!sign) return 0
  const ahead = Number(hours) * 60 + Number(minutes)
  return sign === '-' ? -ahead : ahead
}

/** A moment as the clocks of a zone show it, RFC 3339 with their offset: `2026-03-30T09:30:00+02:00`. */
export function zonedText(at: Date, zone: string): string {
  const ahead = offsetAt(zone, at)
  const local = new Date(at.getTime() + ahead * MINUTE_MS).toISOString().replace(/(\.000)?Z$/, '')
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60]
  return `${local}${ahead < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(minutes)}`
}

/**
 * The moment at which the clocks of a zone show a local time, `2026-03-30T09:30:00`. Where they show it twice, the
 * first; where they leave it out, as long after the jump as it is after the last moment before.
 * @throws RangeError where it is no time or no zone
 */
export function momentOf(local: string, zone: string): Date {
  const asUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtc)) throw new RangeError('that is no local time')
  const [before, after] = [asUtc - DAY_MS, asUtc + DAY_MS].map((at) => offsetAt(zone, new Date(at)))
  const candidates = [before, after]
    .map((ahead) => new Date(asUtc - (ahead as number) * MINUTE_MS))
    .filter((at) => at.getTime() + offsetAt(zone, at) * MINUTE_MS === asUtc)
    .sort((one, other) => one.getTime() - other.getTime())
  return candidates[0] ?? new Date(asUtc - (before as number) * MINUTE_MS)
}

/** The midnight that ends the day of a moment, as the clocks of a zone show it. */
export function nextMidnight(at: Date, zone: string): Date {
  const following = Date.parse(`${zonedText(at, zone).slice(0, 10)}T00:00:00Z`) + DAY_MS
  return momentOf(new Date(following).toISOString().slice(0, 19), zone)
}

/** A moment in the compact form of iCalendar: `20260330T073000Z`. */
export function compactUtc(at: Date): string {
  return at.toISOString().replaceAll(/[-:]|\.\d+/g, '')
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  if (formats.has(zone)) return formats.get(zone)
  let format: Intl.DateTimeFormat | undefined
  try {
    // an offset such as +02:00 is taken by the runtime too, but names no zone
    if (/^[A-Za-z]/.test(zone))
      format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  } catch {
    // no zone of that name
  }
  if (formats.size >= FORMATS_MAX) formats.clear()
  formats.set(zone, format)
  return format
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
