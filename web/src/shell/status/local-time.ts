/**
 * The time in a zone, with the day where it is another one than here.
 * @param here the zone of the reader; left out: that of this device
 * @returns undefined where the browser does not know the zone
 */
export function localTime(zone: string, now: Date, locale: string, here?: string): string | undefined {
  try {
    const dayIn = (timeZone: string | undefined) =>
      new Intl.DateTimeFormat('en', { dateStyle: 'short', timeZone }).format(now)
    const day = dayIn(zone) === dayIn(here) ? {} : ({ weekday: 'short' } as const)
    const clock = { ...day, hour: 'numeric', minute: '2-digit', timeZone: zone } as const
    return new Intl.DateTimeFormat(locale, clock).format(now)
  } catch {
    return undefined
  }
}
