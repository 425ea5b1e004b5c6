import { steadyRate } from '../../platform/limits/steady-rate.ts'
import { pause } from '../../platform/timing/pause.ts'
import type { Codec } from './codec.ts'
import type { Connection } from './connection.ts'

export interface CommandPace {
  /** What one user may send on all connections together. */
  perMinute: number
  /** How much of it may come at once: a client that comes back subscribes to all that it had, up to 512 channels. */
  atOnce: number
}

/** A page of a large organization that is loaded eight times in a row waits for nothing. */
export const COMMAND_PACE: CommandPace = { perMinute: 6_000, atOnce: 4_000 }

/** A longer command counts as several: it has to be read. */
const BYTES_OF_A_COMMAND = 2 * 1024

/**
 * Commands are worked through by the process that serves everybody else, too. Of one person it takes so many in a time,
 * on however many connections. Nobody is refused: what comes beyond waits in their sockets, where it is not read on.
 * @returns resolves when it is the turn of a frame, or when its connection is gone
 */
export function paceCommands({ perMinute, atOnce }: CommandPace) {
  const patienceSeconds = Number.POSITIVE_INFINITY
  const rate = steadyRate({ points: perMinute, seconds: 60, burst: atOnce, patienceSeconds })
  return async (
    { user, client }: Pick<Connection, 'user' | 'client'>,
    weight: number,
    gone: AbortSignal,
  ): Promise<void> => {
    // nothing is taken for who is gone: it would be missing where the same person comes back
    if (gone.aborted) return
    const key = user || client
    const { afterMs } = rate.take(key)
    rate.charge(key, weight - 1)
    if (afterMs > 0) await pause(afterMs, gone)
  }
}

/** How many commands a frame is worth. */
export function weightOf(frame: Buffer, codec: Codec): number {
  return Math.max(codec.count(frame), Math.ceil(frame.length / BYTES_OF_A_COMMAND))
}
