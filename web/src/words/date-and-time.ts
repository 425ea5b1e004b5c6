import { localeNow } from './language.ts'

/** A moment as people write it, in their own zone. */
export function dateAndTime(time: string): string {
  return new Intl.DateTimeFormat(localeNow(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(time),
  )
}
