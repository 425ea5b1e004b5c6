import { composed } from '../../../platform/text/unicode.ts'

/** In the place of a name of which nothing is left. */
const NAMELESS = 'file'

/**
 * The name of a file as it is shown and kept: no way out of a folder, no character that cannot be seen or that turns the
 * direction of what follows, so that `exe.gpj` is not read as `jpg.exe`.
 * @returns undefined where it is no text that is kept: too many combining marks in a row
 */
export function cleanFileName(name: string): string | undefined {
  const whole = composed(name.toWellFormed())
  if (whole === undefined) return undefined
  const shown = whole
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/[/\\]/g, '_')
    .replace(/^[\s.]+/u, '')
    .replace(/[\s.]+$/u, '')
  return shown === '' ? NAMELESS : shown
}
