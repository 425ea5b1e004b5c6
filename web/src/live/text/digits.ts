/** A code as it was mailed: people put a space or a dash into it. Where there is no digit, what was entered. */
export function codeOf(entered: string): string {
  const digits = entered.normalize('NFKC').replace(/\D/g, '')
  return digits === '' ? entered.trim() : digits
}
