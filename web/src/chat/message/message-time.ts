import { localeNow } from '../../words/language.ts'

/** When a message was written, as people write it: `3:02 AM`. */
export function clockTime(at: string): string {
  return format().format(new Date(at))
}

/** The same without AM and PM, beside a message that goes on: the one above it says which half of the day it is. */
export function minuteTime(at: string): string {
  return format()
    .formatToParts(new Date(at))
    .map(({ type, value }) => (type === 'dayPeriod' ? '' : value))
    .join('')
    .trim()
}

function format(): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(localeNow(), { hour: 'numeric', minute: '2-digit' })
}
