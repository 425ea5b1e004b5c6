import { parseMoment } from '../moment.ts'
import { webAddress } from '../text/unicode.ts'

/**
 * Readers of what an outside party says of itself and of others. Each takes any value in a place of an answer and gives
 * back a value within bounds, or says that there is none: an adapter reads a vendor's fields through these alone.
 */

/** The longest name of a person at an issuer (OpenID Connect Core, 2). */
const IDENTIFIER_LENGTH_MAX = 255
/** What names something can be kept, compared and shown: neither control characters nor halves of pairs. */
const UNKEEPABLE = /\p{Cc}|\p{Cs}/u
const VISIBLE = /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u

/** The name of a person or a thing elsewhere, as it is; undefined where it names nothing or is too long to keep. */
export function identifierOf(value: unknown, lengthMax = IDENTIFIER_LENGTH_MAX): string | undefined {
  if (typeof value !== 'string' || value.length > lengthMax) return undefined
  return VISIBLE.test(value) && !UNKEEPABLE.test(value) ? value : undefined
}

/** A text that is another one when it is cut, such as an address; `""` where there is none, or a longer one. */
export function wholeTextOf(value: unknown, lengthMax: number): string {
  return typeof value === 'string' && value.length <= lengthMax && !UNKEEPABLE.test(value) ? value : ''
}

/** A text for people, cut to its bound between characters; `""` where there is none. */
export function textOf(value: unknown, lengthMax: number): string {
  if (typeof value !== 'string') return ''
  const cut = value.length > lengthMax ? value.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '') : value
  return cut.toWellFormed().replaceAll('\0', '')
}

/** Whether it is an object with fields, as JSON has it: no list, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of an object; none where it is something else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

/** The first items of a list; none where it is something else. */
export function itemsOf(value: unknown, countMax: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, countMax) : []
}

/** A number of things, bytes or seconds; undefined where it is none within its bound. */
export function countOf(value: unknown, max = Number.MAX_SAFE_INTEGER): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max
    ? value
    : undefined
}

/** Their neighbours are told with four digits of the year in every zone. */
const YEARS = { first: 2, last: 9_998 }

/** A moment from RFC 3339 text with an offset; undefined where it is none that can be told in every zone. */
export function timeOf(value: unknown): Date | undefined {
  const at = typeof value === 'string' ? parseMoment(value) : undefined
  const year = at?.getUTCFullYear() ?? 0
  return year >= YEARS.first && year <= YEARS.last ? at : undefined
}

const WEB_ADDRESS_LENGTH_MAX = 2_048

/** An address on the web to which browsers or we may go; undefined where it is none. */
export function webAddressOf(value: unknown, { allowsHttp }: { allowsHttp: boolean }): string | undefined {
  const text = identifierOf(value, WEB_ADDRESS_LENGTH_MAX)
  const address = text === undefined ? undefined : webAddress(text)
  if (!address) return undefined
  const { protocol, username, password } = address
  const reached = protocol === 'https:' || (allowsHttp && protocol === 'http:')
  return reached && !username && !password ? text : undefined
}
