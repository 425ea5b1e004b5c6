import { nameSentence } from '../platform/http/input-sentences.ts'
import { invalidInput, type Refusal } from '../platform/refusal.ts'

/** Control characters, line separators and the marks that turn the direction of text around. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
/**
 * Characters that take no room, so that two names look alike: all that Unicode lets a display ignore, but for what
 * joins letters and emoji (U+200C, U+200D), chooses their form, or spells flags.
 */
const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}--[\u200c\u200d\ufe00-\ufe0f\u{e0020}-\u{e007f}\u{e0100}-\u{e01ef}]]/v
/** Something that can be seen: a name of zero-width characters is none. */
const VISIBLE = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v

/**
 * A name that people read, as it is stored: NFC, without spaces around it.
 * @throws Refusal where it is too short, too long, or holds characters that cannot be seen
 */
export function requireName(text: string, field: string, lengths: { min: number; max: number }): string {
  const name = text.normalize('NFC').trim()
  const length = [...name].length
  const { min, max } = lengths
  if (length < min || length > max) throw refusal(field, nameSentence(lengths))
  if (UNPRINTABLE.test(name)) throw refusal(field, 'Enter a name without control characters')
  if (INVISIBLE.test(name)) throw refusal(field, 'Enter a name without invisible characters')
  if (!VISIBLE.test(name)) throw refusal(field, 'Enter a name that can be seen')
  return name
}

/** What somebody is called until they say otherwise: what stands before the @ of their address. */
export function nameFromEmail(email: string): string {
  const localPart = email.slice(0, email.lastIndexOf('@'))
  return [...localPart].length >= 2 ? localPart : [...email].slice(0, 100).join('')
}

function refusal(field: string, message: string): Refusal {
  return invalidInput([{ field, message }])
}
