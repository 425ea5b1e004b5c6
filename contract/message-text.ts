/**
 * What a message may say. PostgreSQL decides (`composed_message` and `require_text` of features/chat/schema.sql);
 * clients apply the same rule before they send. One table of cases holds the two equal.
 */

/** Characters of a message at most, in the composed form (NFC). */
export const MESSAGE_CHARACTERS_MAX = 4_000
/** The refusal of a text that does not fit. */
export const MESSAGE_SENTENCE = 'Enter a message of 1 to 4,000 characters'
/** UTF-16 units that are looked at: no text of more is within the bound once it is composed. */
export const MESSAGE_UNITS_MAX = 4 * MESSAGE_CHARACTERS_MAX

/** White space, and what is drawn as nothing. */
const UNSEEN = [
  '\\s\\u0001-\\u0020\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f\\u2000-\\u200f',
  '\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\u{e0000}-\\u{e0fff}',
].join('')
const SEEN = new RegExp(`[^${UNSEEN}]`, 'u')
const MARKS_IN_A_ROW = /\p{M}{31}/u

/** Why a text is no message; undefined where it is one. */
export function messageTextFault(text: string): 'no-text' | 'too-long' | 'too-many-marks' | undefined {
  if (text.length > MESSAGE_UNITS_MAX) return 'too-long'
  if (MARKS_IN_A_ROW.test(text)) return 'too-many-marks'
  const composed = text.normalize('NFC')
  if (!SEEN.test(composed)) return 'no-text'
  return [...composed].length > MESSAGE_CHARACTERS_MAX ? 'too-long' : undefined
}
