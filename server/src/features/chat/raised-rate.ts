/** What `refuse_rate` raises: the bound, and when the next one is accepted. */
export interface RaisedRate {
  retryAfterSeconds: number
  /** How many are allowed. */
  limit: number
}

const WAIT = /(\d+) s/
const BOUND = /^At most (\d+) /

/** @returns undefined: nothing came too fast */
export function raisedRate({
  hint,
  detail,
}: {
  hint?: string | undefined
  detail?: string | undefined
}): RaisedRate | undefined {
  const [seconds, limit] = [WAIT.exec(hint ?? '')?.[1], BOUND.exec(detail ?? '')?.[1]]
  if (seconds === undefined || limit === undefined) return undefined
  return { retryAfterSeconds: Number(seconds), limit: Number(limit) }
}
