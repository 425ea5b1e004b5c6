import { AtriumError } from '../errors.ts'
import { backoffMs } from '../requests/backoff.ts'

/** The broker keeps a connection for 25 seconds after its token has ended. */
const RENEW_OVER_MS = 10_000

export interface RenewalOptions {
  /** Whether the connection stands: its token ends, and those of all who connected with it. */
  isConnected(): boolean
  random?: () => number
  pause?: (milliseconds: number) => Promise<void>
}

/**
 * Renews a token so that connections which began together do not ask together: while the connection stands after a moment
 * of its own, and not before the office wants it where it has refused with `Retry-After`.
 */
export async function renewSpread<Ticket>(
  renew: () => Promise<Ticket>,
  { isConnected, random = Math.random, pause = sleep }: RenewalOptions,
): Promise<Ticket> {
  if (isConnected()) await pause(random() * RENEW_OVER_MS)
  try {
    return await renew()
  } catch (error) {
    // what is thrown is tried again by the connection, after a pause of its own
    const wanted = error instanceof AtriumError ? error.retryAfterSeconds : undefined
    if (wanted !== undefined && wanted > 0) await pause(backoffMs(1, wanted, random))
    throw error
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
