/** `Retry-After` in seconds, whether it was written as seconds or as a date: a date counts from that of the answer. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text)

  const date = Date.parse(text)
  const saidAt = Date.parse(headers.get('date') ?? '')
  const now = Number.isNaN(saidAt) ? Date.now() : saidAt
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}
