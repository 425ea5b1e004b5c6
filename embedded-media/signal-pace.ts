/** What one person's signals may cost, on however many sockets, one after the other. */
export interface SignalPace {
  /** Charges so much and says how long to read nothing more: 0 while something saved up is left. */
  charge(key: string, bytes: number): number
}

/** Two hundred joins in a minute come to less: some 20 KiB each. */
const BYTES_AT_ONCE = 2 * 1024 * 1024
const BYTES_PER_SECOND = 64 * 1024
/** The shortest one has to be read, decoded and answered too. */
const MESSAGE_BYTES = 128
/** What a new session costs beside its signals: connections, their ports and their first offer. */
export const SESSION_BYTES = 4 * 1024
const KEYS_KEPT = 10_000

/**
 * Descriptions are worked through by the process that carries everybody's media: some 30 ms for ninety sections. Each
 * person is given so many bytes in a time (a token bucket, as one moment for each key); what comes beyond waits in the
 * socket, where it is not read on.
 * @param now milliseconds of a clock that only goes forward
 */
export function paceSignals(now: () => number = () => performance.now()): SignalPace {
  /** When everything is saved up again. */
  const fullAt = new Map<string, number>()
  const forgetFull = (moment: number) => {
    for (const [key, full] of fullAt) if (full <= moment) fullAt.delete(key)
  }
  return {
    charge(key, bytes) {
      const moment = now()
      const costMs = (Math.max(bytes, MESSAGE_BYTES) * 1_000) / BYTES_PER_SECOND
      const full = Math.max(fullAt.get(key) ?? 0, moment) + costMs
      if (!fullAt.has(key) && fullAt.size >= KEYS_KEPT) forgetFull(moment)
      fullAt.set(key, full)
      return Math.max(0, full - moment - (BYTES_AT_ONCE * 1_000) / BYTES_PER_SECOND)
    },
  }
}
