const RFC3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/**
 * A moment from RFC 3339 text with an offset; undefined where it is not one, the 30th of February included, and where its
 * year in UTC has not four digits, or is 0, which the database does not know: it could not be told in that form.
 */
export function parseMoment(text: string): Date | undefined {
  const [, year, month, day] = RFC3339.exec(text) ?? []
  if (year === undefined) return undefined
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day)) return undefined
  const at = new Date(text.toUpperCase())
  const utcYear = at.getUTCFullYear()
  return utcYear > 0 && utcYear <= 9_999 ? at : undefined
}

/** A moment as `parseMoment` reads it, told in UTC with its fraction as it was written: the database knows few offsets. */
export function momentInUtc(text: string): string {
  const at = parseMoment(text)
  if (!at) throw new Error(`no moment: ${text}`)
  return `${at.toISOString().slice(0, 19)}${RFC3339.exec(text)?.[7] ?? ''}Z`
}

/** Whether a text is a moment as `parseMoment` reads it. */
export function isMoment(text: string): boolean {
  return parseMoment(text) !== undefined
}
