/** Bounds of any input, beside those of its schema. Beyond them nothing of the input is looked at. */
export const INPUT_BOUNDS = {
  /** Lists and objects within each other. */
  depth: 32,
  /** Values and keys in all. */
  values: 20_000,
  /** Combining marks in a row (Unicode Standard Annex #15, stream-safe text). */
  marksInARow: 30,
  /** UTF-16 units of a text, or of a key, that no schema gives a length. */
  textUnits: 16_384,
  /** A text of a length may have so many UTF-16 units for each character of it, for lengths are counted after NFC. */
  unitsPerCharacter: 4,
  /** Texts of few characters may have so many. */
  leastTextUnits: 1_024,
} as const
