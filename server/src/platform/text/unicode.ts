import { domainToASCII, domainToUnicode } from 'node:url'
import { INPUT_BOUNDS } from '@atrium/contract/input-bounds'

/**
 * What Unicode and IDNA do with text, at a cost in proportion to its length. Both take time with the square of it where
 * combining marks stand in a row, or a host has no bound: nothing else here calls them (a structure test).
 */

/** Below it there are no combining marks, and every text is in NFC. */
const PLAIN = /^[\0-\u02ff]*$/
/** Found from its beginning to its end: what has passed is not looked at again. */
const MARKS = /\p{M}{6,}/gu

/** Whether more combining marks stand in a row than any script has. */
export function hasTooManyMarks(text: string): boolean {
  if (text.length <= INPUT_BOUNDS.marksInARow || PLAIN.test(text)) return false
  for (const [marks] of text.matchAll(MARKS))
    if (marks.length > INPUT_BOUNDS.marksInARow && charactersOf(marks) > INPUT_BOUNDS.marksInARow) return true
  return false
}

/** A text in NFC; undefined where it has too many combining marks in a row for it to be one that is read. */
export function composed(text: string): string | undefined {
  if (PLAIN.test(text)) return text
  return hasTooManyMarks(text) ? undefined : text.normalize('NFC')
}

/** How many characters a text has in NFC; undefined where it has no such form. */
export function composedLength(text: string): number | undefined {
  const whole = composed(text)
  return whole === undefined ? undefined : charactersOf(whole)
}

function charactersOf(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Characters of the longest name of a host. No spelling of one has more: each character of it takes at least one. */
const HOST_MAX = 253

/** The name of a host in ASCII (IDNA), lower case; undefined where it is too long for one. `''`: it is none. */
export function asciiHost(text: string): string | undefined {
  const name = text.length > HOST_MAX * 4 ? undefined : composed(text)
  return name === undefined || name.length > HOST_MAX ? undefined : domainToASCII(name).toLowerCase()
}

/** The name of a host as people write it; as it is where it is too long for one. */
export function unicodeHost(ascii: string): string {
  return ascii.length > HOST_MAX ? ascii : domainToUnicode(ascii) || ascii
}

/** Before the path of a web address, with a name and a password that most readers refuse. */
const AUTHORITY = /^[^:]*:[/\\]*([^/\\?#]*)/
const AUTHORITY_MAX = 512

/** A text as a web address; undefined where it is none. The parser brings the host to ASCII too. */
export function webAddress(text: string): URL | undefined {
  const [, authority = ''] = AUTHORITY.exec(text) ?? []
  if (authority.length > AUTHORITY_MAX || hasTooManyMarks(authority)) return undefined
  return URL.parse(text) ?? undefined
}
