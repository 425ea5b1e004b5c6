import { PostgrestFault } from './faults.ts'

/**
 * Texts that are stored in their composed form (NFC), which costs the square of the combining marks in a row: before
 * anything composes one it is bounded, here and again in the database, with the same words (`composed()`).
 */
export const COMPOSED = {
  content: {
    characters: 4_000,
    code: '23514',
    label: 'A message',
    tooLong: 'A message has at most 4,000 characters',
  },
  p_title: { characters: 100, code: '22023', label: 'A title', tooLong: 'A title has 1 to 100 characters' },
} as const

/** UTF-16 units that a character may have been written with, and those that every text may have. */
const UNITS_PER_CHARACTER = 4
const UNITS_ALWAYS = 1_024
/** UAX #15 (stream-safe): more of them stand in a row in no language. */
const MARKS_IN_A_ROW = /\p{M}{31}/u

/** @throws PostgrestFault 400 where the text could not be composed in no time */
export function requireComposable(name: keyof typeof COMPOSED, text: string): void {
  const { characters, code, label, tooLong } = COMPOSED[name]
  if (text.length > Math.max(UNITS_PER_CHARACTER * characters, UNITS_ALWAYS))
    throw new PostgrestFault(400, code, tooLong)
  if (MARKS_IN_A_ROW.test(text))
    throw new PostgrestFault(400, code, `${label} has at most 30 combining marks in a row`)
}
