import { nameSentence } from '../platform/http/input/input-sentences.ts'
import { invalidInput, type Refusal } from '../platform/refusal.ts'
import { composed } from '../platform/text/unicode.ts'

/** Control characters, line separators and the marks that turn the direction of text around. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
/**
 * Characters that take no room, so that two names look alike: all that Unicode lets a display ignore, and what stands
 * for no character at all (private use, not assigned).
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Co}\p{Cn}\ufff9-\ufffb]/u
/**
 * Where such a character belongs to what is seen: it joins or chooses the form of emoji, spells a flag, chooses the form
 * of a Han character, or joins letters of a script that is written joined.
 */
const PART_OF_WHAT_IS_SEEN =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)(?:\u200d|\ufe0f)|(?<=[0-9#*])\ufe0f(?=\u20e3)|(?<=\u{1f3f4}[\u{e0020}-\u{e007f}]*)[\u{e0020}-\u{e007f}]|(?<=\p{Script=Han})[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?<=[\p{L}\p{M}])(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u200c\u200d]/gu
/** Something that can be seen: a name of zero-width characters is none. */
const VISIBLE = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v

/**
 * A name that people read, as it is stored: NFC, without spaces around it.
 * @param lengths.label what it is called in a refusal, where it is no name
 * @throws Refusal where it is too short, too long, or holds characters that cannot be seen
 */
export function requireName(
  text: string,
  field: string,
  lengths: { min: number; max: number; label?: string },
): string {
  const { min, max, label = 'a name' } = lengths
  const name = composed(text)?.trim() ?? ''
  const length = [...name].length
  if (length < min || length > max) throw refusal(field, nameSentence(lengths))
  if (UNPRINTABLE.test(name)) throw refusal(field, `Enter ${label} without control characters`)
  if (INVISIBLE.test(name.replace(PART_OF_WHAT_IS_SEEN, '')))
    throw refusal(field, `Enter ${label} without invisible characters`)
  if (!VISIBLE.test(name)) throw refusal(field, `Enter ${label} that can be seen`)
  return name
}

/** The name of a person until they choose one: what stands before the @ of their address. */
export function nameFromEmail(email: string): string {
  const localPart = email.slice(0, email.lastIndexOf('@'))
  return [...localPart].length >= 2 ? localPart : [...email].slice(0, 100).join('')
}

function refusal(field: string, message: string): Refusal {
  return invalidInput([{ field, message }])
}
