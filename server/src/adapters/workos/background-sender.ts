import type { Log } from '../../platform/log.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { pause } from '../../platform/timing/pause.ts'

/** Work that an answer does not wait for. */
export interface BackgroundSender {
  /** Does it now, and again a few times where WorkOS fails. */
  begin(send: () => Promise<void>): void
  /** Waits for what has begun. */
  settle(): Promise<void>
  /** Tries nothing again, and waits for what is on its way: 5 seconds at most, for WorkOS. */
  stop(): Promise<void>
}

const WAITING_MAX = 1_000
/** After each try that failed. A person waits no longer than a minute: then they ask for another code. */
const RETRY_AFTER_MS = [1_000, 5_000, 20_000, 30_000]

/**
 * Takes what WorkOS is asked for an address out of the way of the answer: whether it is asked, how long it takes and
 * whether it fails would tell known addresses from unknown ones.
 */
export function backgroundSender(log: Pick<Log, 'warn'>): BackgroundSender {
  const waiting = new Set<Promise<void>>()
  const stopping = new AbortController()

  const send = async (attempt: () => Promise<void>): Promise<void> => {
    for (const retryAfterMs of [...RETRY_AFTER_MS, undefined]) {
      try {
        return await attempt()
      } catch (error) {
        const final =
          retryAfterMs === undefined || stopping.signal.aborted || !(error instanceof ProviderFailure)
        log.warn({ err: error }, final ? 'a code was not sent' : 'a code was not sent yet')
        if (final) return
        await pause(retryAfterMs, stopping.signal)
        if (stopping.signal.aborted) return
      }
    }
  }
  const settle = async () => {
    while (waiting.size > 0) await Promise.all(waiting)
  }
  return {
    begin(attempt) {
      if (waiting.size >= WAITING_MAX)
        return log.warn({ waiting: waiting.size }, 'a code was not sent: too many wait')
      const sending = send(attempt).finally(() => waiting.delete(sending))
      waiting.add(sending)
    },
    settle,
    async stop() {
      stopping.abort()
      await settle()
    },
  }
}
