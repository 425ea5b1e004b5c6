/**
 * How long an answer asks to be left in peace, in milliseconds; 0 where it does not, or in no words of HTTP.
 * @param header `Retry-After`: seconds, or a date
 */
export function retryAfterMs(header: string | null, now: Date): number {
  if (header === null) return 0
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime())
}
