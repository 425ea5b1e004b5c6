import { tracingChannel } from 'node:diagnostics_channel'
import { refuseInsideTransaction } from '../database/transaction.ts'
import { ProviderFailure, Refusal } from '../refusal.ts'
import { traced } from '../trace.ts'

export interface OutsideCall {
  /** Who is called, in small letters: `workos`, `mail server`. */
  provider: string
  /** What for: few, fixed words, never an id. */
  action: string
}

/**
 * Every call of an adapter to the outside. A subscriber sees `start`, and `asyncEnd` with `error` where it failed: the
 * metrics time calls by it.
 */
const outsideCalls = tracingChannel<OutsideCall>('atrium:outside')

/**
 * Does something outside of this office. A call while a transaction is open would hold its locks for as long as the
 * other side likes, and could not be undone with it: that is a defect, and refused.
 * @param failureOf what an error of the work means; where not given, that it may be tried again
 * @throws ProviderFailure that names the call, or what `failureOf` makes of the error
 */
export async function outside<Answer>(
  call: OutsideCall,
  work: () => Promise<Answer>,
  failureOf: (error: unknown) => unknown = (cause) =>
    new ProviderFailure(call.provider, call.action, { retryable: true, cause }),
): Promise<Answer> {
  refuseInsideTransaction(`${call.provider}: ${call.action}`)
  const attempt = async () => {
    try {
      return await work()
    } catch (error) {
      throw error instanceof Refusal || error instanceof ProviderFailure ? error : failureOf(error)
    }
  }
  return await traced({ name: `${call.provider} ${call.action}`, kind: 'client' }, () =>
    outsideCalls.tracePromise(attempt, { ...call }),
  )
}

/**
 * Times the calls of this process until it is told to stop.
 * @param observe with the duration in seconds, and whether the call did not fail
 */
export function timeOutsideCalls(observe: (call: OutsideCall, seconds: number, succeeded: boolean) => void): {
  close(): void
} {
  const began = new WeakMap<object, number>()
  const subscribers = {
    start: (message: object) => void began.set(message, performance.now()),
    end() {},
    asyncStart() {},
    asyncEnd(message: OutsideCall & { error?: unknown }) {
      const since = began.get(message)
      if (since === undefined) return
      observe(message, (performance.now() - since) / 1_000, message.error === undefined)
    },
    error() {},
  }
  outsideCalls.subscribe(subscribers)
  return { close: () => void outsideCalls.unsubscribe(subscribers) }
}
