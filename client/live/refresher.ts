import { backoffMs, retryAfter } from '../requests/backoff.ts'

/**
 * Reads something again and again: of several readings at once, the newest counts. What fails is read again by a timer,
 * with jitter, unless it is refused for good.
 */
export interface Refresher {
  /** Never rejects. */
  now(): Promise<void>
  /** Soon: many reasons in a row are one reading. */
  soon(): void
  /** Something is being read, and may be older than what is known. */
  isReading(): boolean
  /** Discards what is still being read, and reads nothing any more. */
  close(): void
}

export interface Refreshing<Read> {
  read(): Promise<Read>
  onRead(read: Read): void
  onError(error: unknown): void
  /** How long reasons are gathered for one reading; a function is asked each time. */
  gatherMs: number | (() => number)
}

export function createRefresher<Read>({ read, onRead, onError, gatherMs }: Refreshing<Read>): Refresher {
  /** Below 0: closed. */
  let turn = 0
  let reading = 0
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  const failed = (error: unknown) => {
    onError(error)
    const after = retryAfter(error)
    if (after === undefined) return
    failures += 1
    again = setTimeout(() => void now(), backoffMs(failures, after))
  }
  const now = async () => {
    if (turn < 0) return
    turn += 1
    const mine = turn
    reading += 1
    clearTimeout(again)
    try {
      const found = await read()
      if (mine !== turn) return
      failures = 0
      onRead(found)
    } catch (error) {
      if (mine === turn) failed(error)
    } finally {
      reading -= 1
    }
  }
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      // a long reading that is discarded again and again would never come to its end
      if (reading > 0 && turn >= 0) soon()
      else void now()
    }, msOf(gatherMs))
  }
  return {
    now,
    soon,
    isReading: () => reading > 0,
    close() {
      turn = -1
      clearTimeout(timer)
      clearTimeout(again)
    },
  }
}

function msOf(gatherMs: number | (() => number)): number {
  return typeof gatherMs === 'number' ? gatherMs : gatherMs()
}
