/** As the office takes it: characters of the composed form. */
const CONTENT_MAX = 4_000

/** How many characters of a text are too many for a message; 0: none. */
export function charactersOver(text: string): number {
  // nothing is composed to more than there is
  if (text.length <= CONTENT_MAX) return 0
  return Math.max(0, [...text.normalize('NFC')].length - CONTENT_MAX)
}
